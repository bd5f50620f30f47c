//! One execution as text, for `--print-executions`: threads in order, events in program order, each read with
//! the write it saw, then the order of the writes to each location. Stable: the same execution, the same text.

use raveler_core::{EventId, Model};

use crate::paint::columns;
use crate::printed;
use crate::reexecution;
use crate::scene::Scene;

/// The text of one execution; `title` names it, such as `execution 3`.
pub fn render(scene: &Scene<'_>, title: &str) -> String {
    let mut out = format!("{title}\n");
    let threads: Vec<Vec<Vec<String>>> =
        (0..scene.witness.threads.len()).map(|thread| rows(scene, thread)).collect();
    let mut lines = columns("    ", &threads.concat()).into_iter();
    for (thread, rows) in threads.iter().enumerate() {
        out.push_str(&format!("  {}\n", scene.thread(thread)));
        for line in lines.by_ref().take(rows.len()) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    let written = scene.witness.coherence.iter().filter(|(_, writes)| writes.len() > 1);
    let mut orders: Vec<String> = written
        .map(|(address, writes)| {
            let writes: Vec<String> = writes.iter().map(|&w| name(w)).collect();
            format!("    {}: {}\n", scene.location(*address), writes.join(", "))
        })
        .collect();
    if !orders.is_empty() {
        orders.sort();
        out.push_str("  order of writes\n");
        out.extend(orders);
    }
    if let Some(reexecution) = &scene.witness.reexecution {
        let origin = reexecution::origin(scene, reexecution, Model::Xmm);
        out.push_str(&format!("  executed again from {}\n", origin.replace('\n', " ")));
    }
    out
}

/// The name of an event in this form and in the JSON result: `0.1` is the second event of thread 0.
pub fn name(id: EventId) -> String {
    format!("{id:?}")
}

/// The events of a thread, and what it printed between them.
fn rows(scene: &Scene<'_>, thread: usize) -> Vec<Vec<String>> {
    let printed = printed::lines(scene, thread);
    let after = |event: Option<EventId>| {
        let lines = printed.iter().filter(move |line| line.after == event);
        lines.map(|line| vec![String::new(), line.what(), String::new(), scene.place(line.site)])
    };
    let mut rows: Vec<Vec<String>> = after(None).collect();
    for (id, _) in scene.events().filter(|(id, _)| id.thread() == thread) {
        rows.push(row(scene, id));
        rows.extend(after(Some(id)));
    }
    rows
}

fn row(scene: &Scene<'_>, id: EventId) -> Vec<String> {
    let source = scene.event(id).and_then(|e| e.reads_from).map(|w| format!("from {}", name(w)));
    vec![
        name(id),
        scene.what(id),
        scene.order(id).to_string(),
        scene.place_of(id),
        source.unwrap_or_default(),
        reexecution::mark(scene, id).to_string(),
    ]
}
