//! A picture as DOT text, for Graphviz.

use raveler_core::EventId;

use super::{Arrow, COMMITTED, Picture, edges, initial_values, subtitle, tooltip};

/// The DOT text of a picture.
pub fn render(picture: &Picture<'_>) -> String {
    let scene = &picture.scene;
    let mut out = String::from("digraph execution {\n");
    let initial = initial_values(scene);
    let mut title = picture.title.clone();
    if !initial.is_empty() {
        title.push_str(&format!("\ninitially {initial}"));
    }
    if scene.witness.reexecution.is_some() {
        title.push_str(&format!("\n{COMMITTED}"));
    }
    out.push_str(&format!("  label={}; labelloc=t; fontname=\"sans-serif\";\n", quoted(&title)));
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (thread, events) in scene.witness.threads.iter().enumerate() {
        out.push_str(&format!("  subgraph cluster_{thread} {{\n"));
        out.push_str(&format!("    label={}; color=\"#c8ccd2\";\n", quoted(&scene.thread(thread))));
        for index in 0..events.events.len() {
            let id = EventId::new(thread as u32, index as u32);
            let label = format!("{}\n{}", scene.what(id), subtitle(scene, id));
            let marked = if picture.marked.contains(&id) { ", color=\"#d1242f\", penwidth=2" } else { "" };
            let committed = match scene.witness.committed(id) {
                Some(_) => ", style=\"rounded,filled\", fillcolor=\"#ddf4ff\"",
                None => "",
            };
            let mark = format!("{marked}{committed}");
            let tip = quoted(&tooltip(scene, id));
            let line =
                format!("    {} [label={}, tooltip={tip}{mark}];\n", node(id), quoted(label.trim_end()));
            out.push_str(&line);
        }
        out.push_str("  }\n");
    }
    for edge in edges(scene) {
        let colour = edge.arrow.colour();
        let rest = match edge.arrow {
            Arrow::Program => "weight=10".to_string(),
            arrow => format!("label=\"{}\", fontcolor=\"{colour}\", constraint=false", arrow.label()),
        };
        out.push_str(&format!("  {} -> {} [color=\"{colour}\", {rest}];\n", node(edge.from), node(edge.to)));
    }
    out + "}\n"
}

fn node(id: EventId) -> String {
    format!("e{}_{}", id.thread(), id.index())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
