//! Its Fig. 9: how many runs there are for more and more rounds, with store buffers of bounded size, as a picture.

use super::{BOUNDS, CLASSES, RUNS};
use crate::papers::table::grouped;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 380.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 330.0;
/// The left edge of each half, and how wide the drawing in it is.
const LEFT: [f64; 2] = [70.0, 430.0];
const ACROSS: f64 = 230.0;
/// The picture shows 10 to 10^7.
const DECADES: (f64, f64) = (1.0, 7.0);
const COLOURS: [&str; 5] = ["#57606a", "#0969da", "#1a7f37", "#9a6700", "#cf222e"];

/// The picture: executions of the graph engine on the left, runs of the interleaving engine on the right.
pub fn draw() -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>Dijkstra's mutual exclusion under tso: executions and runs against rounds, for buffers of K stores</title>\n\
         <style>.ground{{fill:#ffffff}} text{{fill:#1f2328;font-family:system-ui,'DejaVu Sans',sans-serif;font-size:12px}}\n\
         .title{{font-size:14px;font-weight:600}} .grid{{stroke:#d8dee4;stroke-width:1}} .mark{{text-anchor:end}} .mid{{text-anchor:middle}}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n"
    );
    half(&mut svg, LEFT[0], "executions (classes by reads-from)", &CLASSES);
    half(&mut svg, LEFT[1], "runs of the interleaving engine", &RUNS);
    for (at, ((name, _), colour)) in BOUNDS.into_iter().zip(COLOURS).enumerate() {
        let y = TOP + 14.0 + 20.0 * at as f64;
        let x = LEFT[1] + ACROSS + 30.0;
        svg += &format!(
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"{}\">K = {name}</text>\n",
            x + 18.0,
            x + 24.0,
            y + 4.0
        );
    }
    svg + "</svg>\n"
}

fn half(svg: &mut String, left: f64, title: &str, counts: &[[Option<u64>; 5]]) {
    *svg += &format!("<text class=\"title\" x=\"{left}\" y=\"28\">{title}</text>\n");
    for decade in DECADES.0 as u32..=DECADES.1 as u32 {
        let y = height(10f64.powi(decade as i32));
        *svg += &format!(
            "<line class=\"grid\" x1=\"{left}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"mark\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            left + ACROSS,
            left - 6.0,
            y + 4.0,
            grouped(10u64.pow(decade))
        );
    }
    for rounds in 1..=3 {
        let label = if rounds == 1 { "R = 1".to_owned() } else { rounds.to_string() };
        *svg += &format!(
            "<text class=\"mid\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>\n",
            place(left, rounds),
            BOTTOM + 18.0
        );
    }
    for (series, colour) in COLOURS.into_iter().enumerate() {
        let points: Vec<(f64, f64)> = counts
            .iter()
            .enumerate()
            .filter_map(|(round, counts)| Some((place(left, round + 1), height(counts[series]? as f64))))
            .collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        *svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            path.join(" ")
        );
        for (x, y) in points {
            *svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\n");
        }
    }
}

fn place(left: f64, rounds: usize) -> f64 {
    left + 20.0 + (ACROSS - 40.0) * (rounds as f64 - 1.0) / 2.0
}

fn height(count: f64) -> f64 {
    let (low, high) = DECADES;
    BOTTOM - (BOTTOM - TOP) * (count.log10() - low) / (high - low)
}
