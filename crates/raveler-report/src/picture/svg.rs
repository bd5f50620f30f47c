//! A picture as SVG. The layout is known (columns and rows), so no layout engine is needed; what takes care is
//! the arrows: each side of a box shares its height among the arrows that end there, and an arrow that passes
//! other columns runs between two rows.

use std::collections::BTreeMap;

use raveler_core::EventId;

use super::{Arrow, COMMITTED, Edge, Picture, edges, initial_values, subtitle, tooltip};

const MARGIN: f64 = 28.0;
const BOX_HEIGHT: f64 = 44.0;
const ROW: f64 = 78.0;
const GAP: f64 = 120.0;
/// Widths of one character of the two kinds of text.
const MONO: f64 = 8.0;
const SANS: f64 = 6.6;

/// The SVG text of a picture.
pub fn render(picture: &Picture<'_>) -> String {
    let layout = Layout::new(picture);
    let edges = edges(&picture.scene);
    let mut arrows: Vec<Arrow> = edges.iter().map(|e| e.arrow).collect();
    arrows.sort();
    arrows.dedup();
    let legend_top = layout.bottom + 18.0;
    let legend_width = 60.0 + 52.0 * SANS;
    let width = layout.right.max(legend_width) + MARGIN;
    let has_committed = picture.scene.witness.reexecution.is_some();
    let height = legend_top + 20.0 * (arrows.len() + usize::from(has_committed)) as f64 + MARGIN / 2.0;

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n",
        escaped(&picture.title)
    );
    out.push_str(&style(has_committed));
    out.push_str(&markers(&arrows));
    out.push_str("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    out.push_str(&text("title", MARGIN, MARGIN + 4.0, &picture.title));
    let initial = initial_values(&picture.scene);
    if !initial.is_empty() {
        out.push_str(&text("faint", MARGIN, MARGIN + 24.0, &format!("initially {initial}")));
    }
    out.push_str(&headers(picture, &layout));
    out.push_str(&boxes(picture, &layout));
    out.push_str(&paths(picture, &layout, &edges));
    out.push_str(&legend(&arrows, legend_top));
    if has_committed {
        out.push_str(&legend_of_committed(legend_top + 20.0 * arrows.len() as f64));
    }
    out + "</svg>\n"
}

/// Where everything stands.
struct Layout {
    /// Left edge and width of each column.
    columns: Vec<(f64, f64)>,
    /// The top of the first row of boxes.
    top: f64,
    right: f64,
    bottom: f64,
}

impl Layout {
    fn new(picture: &Picture<'_>) -> Layout {
        let scene = &picture.scene;
        let threads = scene.witness.threads.len();
        let width = |thread: usize| {
            let ids = (0..scene.witness.threads[thread].events.len())
                .map(|i| EventId::new(thread as u32, i as u32));
            let texts = ids.map(|id| {
                let first = chars(&scene.what(id)) * MONO;
                first.max(chars(&subtitle(scene, id)) * SANS) + 24.0
            });
            texts.fold((chars(&scene.thread(thread)) * SANS + 24.0).max(110.0), f64::max)
        };
        let mut columns = Vec::new();
        let mut left = MARGIN;
        for thread in 0..threads {
            columns.push((left, width(thread)));
            left += width(thread) + GAP;
        }
        let head = chars(&picture.title).max(chars(&initial_values(scene)) + 10.0) * SANS * 1.15;
        let last = columns.last().map(|(left, width)| left + width).unwrap_or(MARGIN);
        let rows = scene.witness.threads.iter().map(|t| t.events.len()).max().unwrap_or(0);
        let top = MARGIN + 78.0;
        let right = last.max(MARGIN + head);
        Layout { columns, top, right, bottom: top + ROW * rows as f64 }
    }

    fn box_of(&self, id: EventId) -> (f64, f64, f64) {
        let (left, width) = self.columns[id.thread()];
        (left, self.top + ROW * f64::from(id.index()), width)
    }
}

fn headers(picture: &Picture<'_>, layout: &Layout) -> String {
    let centre = |(left, width): &(f64, f64)| left + width / 2.0;
    let name = |thread: usize| picture.scene.thread(thread);
    let columns = layout.columns.iter().enumerate();
    columns.map(|(thread, c)| text("thread", centre(c), layout.top - 16.0, &name(thread))).collect()
}

fn boxes(picture: &Picture<'_>, layout: &Layout) -> String {
    let scene = &picture.scene;
    let one = |id: EventId| {
        let (left, top, width) = layout.box_of(id);
        let marked = if picture.marked.contains(&id) { " marked" } else { "" };
        let committed = if scene.witness.committed(id).is_some() { " committed" } else { "" };
        let class = format!("event{marked}{committed}");
        let centre = left + width / 2.0;
        format!(
            "<g class=\"{class}\"><title>{}</title>\n<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{BOX_HEIGHT}\" rx=\"7\"/>\n{}{}</g>\n",
            escaped(&tooltip(scene, id)),
            text("what", centre, top + 19.0, &scene.what(id)),
            text("sub", centre, top + 35.0, &subtitle(scene, id)),
        )
    };
    scene.events().map(|(id, _)| one(id)).collect()
}

/// Which side of a box an arrow touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Left,
    Right,
}

/// Where an arrow leaves and where it arrives; curved arrows join different columns.
fn sides(edge: &Edge) -> (Side, Side) {
    if edge.from.thread() < edge.to.thread() { (Side::Right, Side::Left) } else { (Side::Left, Side::Right) }
}

/// The height at which each end of each arrow touches its box: ends on one side are spread over it, in the
/// order of where the arrows go, so that they do not cross at the box.
fn ports(layout: &Layout, curved: &[&Edge]) -> Vec<[f64; 2]> {
    /// Where the arrow comes from or goes to, its number, and which of its ends this is.
    type End = (f64, usize, usize);
    let mut ends: BTreeMap<(EventId, Side), Vec<End>> = BTreeMap::new();
    for (number, edge) in curved.iter().enumerate() {
        let (from, to) = sides(edge);
        let height = |id: EventId| layout.box_of(id).1;
        ends.entry((edge.from, from)).or_default().push((height(edge.to), number, 0));
        ends.entry((edge.to, to)).or_default().push((height(edge.from), number, 1));
    }
    let mut ports = vec![[0.0; 2]; curved.len()];
    for ((id, _), mut list) in ends {
        list.sort_by(|a, b| a.partial_cmp(b).expect("heights are numbers"));
        let (_, top, _) = layout.box_of(id);
        let step = BOX_HEIGHT / (list.len() + 1) as f64;
        for (place, (_, number, end)) in list.into_iter().enumerate() {
            ports[number][end] = top + step * (place + 1) as f64;
        }
    }
    ports
}

fn paths(picture: &Picture<'_>, layout: &Layout, edges: &[Edge]) -> String {
    let mut out = String::new();
    for edge in edges.iter().filter(|e| e.arrow == Arrow::Program) {
        let ((left, from, width), (_, to, _)) = (layout.box_of(edge.from), layout.box_of(edge.to));
        let (x, start, end) = (left + width / 2.0, from + BOX_HEIGHT, to - 2.0);
        out.push_str(&format!(
            "<path class=\"po\" d=\"M{x:.1} {start:.1} V{end:.1}\" marker-end=\"url(#head-po)\"/>\n"
        ));
    }
    let curved: Vec<&Edge> = edges.iter().filter(|e| e.arrow != Arrow::Program).collect();
    let ports = ports(layout, &curved);
    let mut labels = String::new();
    let mut lanes: BTreeMap<u32, u32> = BTreeMap::new();
    for (edge, [start, end]) in curved.iter().zip(ports) {
        let (path, (x, y)) = curve(layout, edge, start, end, &mut lanes);
        let scene = &picture.scene;
        let class = class(edge.arrow);
        let said = format!(
            "{} ({}): {}, {} → {}, {}",
            edge.arrow.label(),
            edge.arrow.meaning(),
            scene.thread_short(edge.from.thread()),
            scene.what(edge.from),
            scene.thread_short(edge.to.thread()),
            scene.what(edge.to)
        );
        out.push_str(&format!(
            "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#head-{class})\"><title>{}</title></path>\n",
            escaped(&said)
        ));
        if edge.arrow != Arrow::Thread {
            labels.push_str(&text(&format!("label {class}"), x, y, edge.arrow.label()));
        }
    }
    out + &labels
}

/// The path of one arrow and where its label stands.
fn curve(
    layout: &Layout,
    edge: &Edge,
    start: f64,
    end: f64,
    lanes: &mut BTreeMap<u32, u32>,
) -> (String, (f64, f64)) {
    let at = |id: EventId, side: Side| {
        let (left, _, width) = layout.box_of(id);
        if side == Side::Left { left } else { left + width }
    };
    let (from_side, to_side) = sides(edge);
    let (x0, x1) = (at(edge.from, from_side), at(edge.to, to_side));
    let (from, to) = (edge.from.thread(), edge.to.thread());
    let way = if x1 > x0 { 1.0 } else { -1.0 };
    let tip = x1 - 3.0 * way;
    if from.abs_diff(to) == 1 {
        let bend = GAP * 0.45 * way;
        let path = format!(
            "M{x0:.1} {start:.1} C{:.1} {start:.1} {:.1} {end:.1} {tip:.1} {end:.1}",
            x0 + bend,
            tip - bend
        );
        // Where the label stands depends on what the arrow says, so that labels of crossing arrows do not meet.
        let along = match edge.arrow {
            Arrow::ReadsFrom => 0.24,
            Arrow::FromRead => 0.36,
            _ => 0.5,
        };
        return (path, cubic([(x0, start), (x0 + bend, start), (tip - bend, end), (tip, end)], along));
    }
    // Past other columns: through the gap between two rows that lies nearest to both ends.
    let middle = (start + end) / 2.0;
    let row = ((middle - layout.top + (ROW - BOX_HEIGHT) / 2.0) / ROW).round().max(0.0);
    let lane = lanes.entry(row as u32).or_default();
    *lane += 1;
    let shift = (f64::from(*lane / 2) * 6.0) * if lane.is_multiple_of(2) { 1.0 } else { -1.0 };
    let y = layout.top + row * ROW - (ROW - BOX_HEIGHT) / 2.0 + shift;
    let (near, far) = (x0 + GAP * 0.8 * way, x1 - GAP * 0.8 * way);
    let bend = GAP * 0.4 * way;
    let path = format!(
        "M{x0:.1} {start:.1} C{:.1} {start:.1} {:.1} {y:.1} {near:.1} {y:.1} L{far:.1} {y:.1} \
         C{:.1} {y:.1} {:.1} {end:.1} {tip:.1} {end:.1}",
        x0 + bend,
        near - bend,
        far + bend,
        tip - bend
    );
    (path, cubic([(x0, start), (x0 + bend, start), (near - bend, y), (near, y)], 0.5))
}

/// A point of a cubic curve, a little lowered for the label.
fn cubic(points: [(f64, f64); 4], t: f64) -> (f64, f64) {
    let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
    let sum = |of: fn(&(f64, f64)) -> f64| points.iter().zip(weights).map(|(p, w)| of(p) * w).sum::<f64>();
    (sum(|p| p.0), sum(|p| p.1) + 4.0)
}

fn legend(arrows: &[Arrow], top: f64) -> String {
    let mut out = String::new();
    for (row, &arrow) in arrows.iter().enumerate() {
        let y = top + 20.0 * row as f64;
        let class = class(arrow);
        out.push_str(&format!(
            "<path class=\"{class}\" d=\"M{MARGIN} {y:.1} h30\" marker-end=\"url(#head-{class})\"/>\n"
        ));
        let said = format!("{}: {}", arrow.label(), arrow.meaning());
        out.push_str(&text("faint", MARGIN + 42.0, y + 4.0, &said));
    }
    out
}

fn legend_of_committed(y: f64) -> String {
    let (top, right) = (y - 7.0, MARGIN + 42.0);
    format!(
        "<g class=\"event committed\"><rect x=\"{MARGIN}\" y=\"{top:.1}\" width=\"30\" height=\"14\" rx=\"4\"/></g>\n{}",
        text("faint", right, y + 4.0, COMMITTED)
    )
}

fn class(arrow: Arrow) -> &'static str {
    match arrow {
        Arrow::Program => "po",
        Arrow::Thread => "thr",
        Arrow::ReadsFrom => "rf",
        Arrow::Coherence => "co",
        Arrow::FromRead => "fr",
    }
}

fn markers(arrows: &[Arrow]) -> String {
    let one = |&arrow: &Arrow| {
        let class = class(arrow);
        format!(
            "<marker id=\"head-{class}\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path class=\"head {class}-head\" d=\"M0 0.8 L9.5 5 L0 9.2 z\"/></marker>\n"
        )
    };
    format!("<defs>\n{}</defs>\n", arrows.iter().map(one).collect::<String>())
}

fn style(has_committed: bool) -> String {
    const ALL: [Arrow; 5] =
        [Arrow::Program, Arrow::Thread, Arrow::ReadsFrom, Arrow::Coherence, Arrow::FromRead];
    let rules = |colour: fn(Arrow) -> &'static str| {
        let one = |arrow: Arrow| {
            let (class, colour) = (class(arrow), colour(arrow));
            format!(
                "path.{class}{{stroke:{colour}}} .{class}-head{{fill:{colour};stroke:none}} text.{class}{{fill:{colour}}}\n"
            )
        };
        ALL.into_iter().map(one).collect::<String>()
    };
    // Dashed as well, to be seen without colours and beside red borders.
    let committed = |fill: &str, line: &str| match has_committed {
        true => {
            format!(" .committed rect{{fill:{fill};stroke:{line};stroke-width:1.8;stroke-dasharray:5 3}}")
        }
        false => String::new(),
    };
    format!(
        "<style>\n\
         .ground{{fill:#ffffff}} text{{fill:#1f2328;font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:12px}}\n\
         .title{{font-size:15px;font-weight:600}} .thread{{font-weight:600;font-size:13px;text-anchor:middle}}\n\
         .faint,.sub{{fill:#59636e}} .sub{{font-size:11px;text-anchor:middle}}\n\
         .what{{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px;text-anchor:middle}}\n\
         .event rect{{fill:#f6f8fa;stroke:#c8ccd2;stroke-width:1.2}}{} .marked rect{{stroke:#d1242f;stroke-width:2.4}}\n\
         path{{fill:none;stroke-width:1.7}} path.po{{stroke-width:1.3}} path.thr{{stroke-dasharray:4 3}} path.co{{stroke-dasharray:7 3}}\n\
         path.head{{stroke-width:0}}\n\
         .label{{font-size:11px;font-weight:600;text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}}\n\
         {}\
         @media (prefers-color-scheme: dark) {{\n\
         .ground{{fill:#0d1117}} text{{fill:#e6edf3}} .faint,.sub{{fill:#9198a1}} .label{{stroke:#0d1117}}\n\
         .event rect{{fill:#161b22;stroke:#3d444d}}{} .marked rect{{stroke:#ff6b6b}}\n\
         {}}}\n</style>\n",
        committed("#ddf4ff", "#0969da"),
        rules(Arrow::colour),
        committed("#0c2d4a", "#58a6ff"),
        rules(Arrow::colour_on_dark)
    )
}

fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>\n", escaped(content))
}

fn chars(text: &str) -> f64 {
    text.chars().count() as f64
}

/// Text as XML wants it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
