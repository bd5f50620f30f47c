//! One execution as a picture: threads are columns, program order runs down, and curved arrows say which read
//! saw which write ([`svg`], [`dot`]).

pub mod dot;
pub mod svg;

use raveler_core::{EventId, EventKind};

use crate::printed;
use crate::scene::Scene;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The execution.
    pub scene: Scene<'a>,
    /// Stands above it.
    pub title: String,
    /// Events to point out, such as the two of a race.
    pub marked: Vec<EventId>,
}

/// The arrows of a picture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrow {
    /// Program order.
    Program,
    /// From a thread's start to what started it, or from its end to what waited for it.
    Thread,
    /// From a write to a read that saw it.
    ReadsFrom,
    /// From a write to the next write of the same location.
    Coherence,
    /// From a read to the write after the one it saw.
    FromRead,
}

impl Arrow {
    /// The short name, as in the papers.
    pub fn label(self) -> &'static str {
        match self {
            Arrow::Program => "po",
            Arrow::Thread => "start/join",
            Arrow::ReadsFrom => "rf",
            Arrow::Coherence => "co",
            Arrow::FromRead => "fr",
        }
    }

    /// What it means, for the legend.
    pub fn meaning(self) -> &'static str {
        match self {
            Arrow::Program => "program order",
            Arrow::Thread => "a thread starts or ends",
            Arrow::ReadsFrom => "the read saw this write",
            Arrow::Coherence => "order of the writes to one location",
            Arrow::FromRead => "the read did not see this write",
        }
    }

    /// Its colour on a light ground.
    pub fn colour(self) -> &'static str {
        match self {
            Arrow::Program | Arrow::Thread => "#8a8f98",
            Arrow::ReadsFrom => "#1a7f37",
            Arrow::Coherence => "#9a5b00",
            Arrow::FromRead => "#c2255c",
        }
    }

    /// Its colour on a dark ground.
    pub fn colour_on_dark(self) -> &'static str {
        match self {
            Arrow::Program | Arrow::Thread => "#8b949e",
            Arrow::ReadsFrom => "#4ac26b",
            Arrow::Coherence => "#e0a030",
            Arrow::FromRead => "#ff7eb0",
        }
    }
}

/// An arrow between two events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// What it says.
    pub arrow: Arrow,
    /// Where it starts.
    pub from: EventId,
    /// Where it ends.
    pub to: EventId,
}

/// The arrows of an execution. What follows from program order or from other arrows is left out: coherence
/// only to the next write, and not to an update that saw the write; nothing inside a thread (a read that saw
/// its own thread's write saw the last one); nothing from the initial write.
pub fn edges(scene: &Scene<'_>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (to, event) in scene.events() {
        if to.index() > 0 {
            let from = EventId::new(to.thread() as u32, to.index() - 1);
            edges.push(Edge { arrow: Arrow::Program, from, to });
        }
        if to.index() == 0 {
            let started = scene.witness.threads[to.thread()].spawned_by;
            edges.extend(started.map(|from| Edge { arrow: Arrow::Thread, from, to }));
        }
        let arrow = if event.kind == EventKind::Join { Arrow::Thread } else { Arrow::ReadsFrom };
        let source = event.reads_from.filter(|source| !source.is_init() && source.thread() != to.thread());
        edges.extend(source.map(|from| Edge { arrow, from, to }));
        edges.extend(missed(scene, to).map(|write| Edge { arrow: Arrow::FromRead, from: to, to: write }));
    }
    for (_, writes) in &scene.witness.coherence {
        let pairs = writes.windows(2).map(|pair| (pair[0], pair[1]));
        let seen = |from, to| scene.event(to).and_then(|e| e.reads_from) == Some(from);
        let drawn =
            pairs.filter(|&(from, to)| !from.is_init() && from.thread() != to.thread() && !seen(from, to));
        edges.extend(drawn.map(|(from, to)| Edge { arrow: Arrow::Coherence, from, to }));
    }
    edges
}

/// The write of another thread that directly follows the one this read saw.
fn missed(scene: &Scene<'_>, read: EventId) -> Option<EventId> {
    let event = scene.event(read)?;
    let (address, source) = (event.address?, event.reads_from?);
    let (_, writes) = scene.witness.coherence.iter().find(|(a, _)| *a == address)?;
    let next = *writes.get(writes.iter().position(|&w| w == source)? + 1)?;
    (next.thread() != read.thread()).then_some(next)
}

/// What it means that boxes are marked as committed, for the legend.
pub const COMMITTED: &str = "committed: comes from another execution, which was executed again";

/// The initial values of the locations that the execution touches: `x = 0, y = 0`.
pub fn initial_values(scene: &Scene<'_>) -> String {
    let mut addresses: Vec<_> = scene.events().filter_map(|(_, e)| Some((e.address?, e.width))).collect();
    addresses.sort();
    addresses.dedup();
    let value = |&(address, width): &(raveler_core::Address, raveler_core::Width)| {
        let value = scene.names.initial(address)?;
        Some(format!("{} = {}", scene.location(address), scene.value(value, width)))
    };
    let values: Vec<String> = addresses.iter().filter_map(value).collect();
    values.join(", ")
}

/// The second line of an event: order, place, and what it saw where no arrow says so.
fn subtitle(scene: &Scene<'_>, id: EventId) -> String {
    let event = scene.event(id);
    // The title names the file; only another one is worth saying again.
    let place = match event.and_then(|e| scene.sources.site(e.site)) {
        Some(site) if site.file.is_none() => format!("line {}", site.line),
        _ => scene.place_of(id),
    };
    let saw = match event.and_then(|e| e.reads_from) {
        Some(source) if source.is_init() => "initial",
        Some(source) if source.thread() == id.thread() => "own write",
        _ => "",
    };
    let parts = [scene.order(id), &place, saw, crate::reexecution::mark(scene, id)];
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" · ")
}

/// All that is known about an event, for a tooltip.
fn tooltip(scene: &Scene<'_>, id: EventId) -> String {
    let site = scene.event(id).and_then(|e| scene.sources.site(e.site));
    let text = site.map(|s| s.text.as_str()).unwrap_or_default();
    let first = format!("{}: {}", scene.thread(id.thread()), scene.what(id));
    let mut lines = vec![first, scene.saw(id), text.to_string()];
    let printed = printed::lines(scene, id.thread()).into_iter();
    lines.extend(printed.filter(|line| line.after == Some(id)).map(|line| format!("then {}", line.what())));
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
