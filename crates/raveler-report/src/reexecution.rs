//! Executions of xmm that were made of others: which events were committed, what is known of the other execution, and
//! which orders would forbid the circle.
//!
//! Of the other execution only its reads from other threads are known (docs/xmm.md, "Stories and pictures"), so nothing
//! else is said of it.

use std::collections::BTreeMap;

use raveler_core::outcome::{Half, ReadThere, Reexecution};
use raveler_core::{EventId, EventKind, Model, Order, SiteId};

use crate::paint::listed;
use crate::scene::Scene;

/// So many reads of another execution are told at most, of each kind.
const READS: usize = 3;

/// The word beside an event that was committed; empty for others.
pub fn mark(scene: &Scene<'_>, id: EventId) -> &'static str {
    match scene.witness.committed(id).map(|committed| committed.half) {
        None => "",
        Some(None) => "committed",
        Some(Some(Half::Read)) => "its read committed",
        Some(Some(Half::Write)) => "its write committed",
    }
}

/// What it means that events are committed, and from which execution they come, as sentences that may be broken at
/// the line ends in them; none if nothing was committed.
pub fn told(scene: &Scene<'_>, model: Model) -> Vec<String> {
    let Some(reexecution) = &scene.witness.reexecution else { return Vec::new() };
    vec![
        "program order and reads go round in a circle here: another execution was executed again;\n\
         what is committed was taken from it, the rest was done anew"
            .to_string(),
        format!("the other is {}", origin(scene, reexecution, model)),
    ]
}

/// The execution that was executed again.
pub fn origin(scene: &Scene<'_>, reexecution: &Reexecution, model: Model) -> String {
    let causal = model.causal().name();
    let mut text = match reexecution.round {
        0 => format!("an execution of {causal}"),
        1 => format!("an execution that was itself executed again, from one of {causal}"),
        round => format!("an execution that was itself executed again, in round {round}"),
    };
    let committed = reexecution.committed.iter().filter(|committed| committed.half != Some(Half::Write));
    let same = some(committed.filter_map(|committed| reads(scene, committed.event, "reads")));
    let there = reexecution.only_there.iter().filter_map(|read| reads_there(scene, read));
    // That a thread reads something else there says already that it does not read this.
    let reads_other = |id: EventId| {
        let address = scene.event(id).and_then(|event| event.address);
        let other = |read: &ReadThere| {
            read.thread.is_some_and(|thread| thread.0 as usize == id.thread())
                && Some(read.address) == address
        };
        reexecution.only_there.iter().any(other)
    };
    let here = reexecution.only_here.iter().filter(|&&read| !reads_other(read));
    let here = here.filter_map(|&read| reads(scene, read, "does not read"));
    let others = [some(there), some(here)].concat();
    if !same.is_empty() {
        text.push_str(&format!(":\n{} as here", listed(&same)));
    }
    if !others.is_empty() {
        text.push_str(&format!(",\nbut {}", listed(&others)));
    }
    text
}

/// The first of these phrases, and how many more there are.
fn some(phrases: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for phrase in phrases {
        if !all.contains(&phrase) {
            all.push(phrase);
        }
    }
    let more = all.len().saturating_sub(READS);
    all.truncate(READS);
    if more > 0 {
        all.push(format!("{more} more of the kind"));
    }
    all
}

/// A read of this execution from another thread, with this verb: `P0 reads x = 1 from P1`.
fn reads(scene: &Scene<'_>, id: EventId, verb: &str) -> Option<String> {
    let event = scene.event(id).filter(|event| matches!(event.kind, EventKind::Read | EventKind::Update))?;
    let writer = event.reads_from.filter(|write| !write.is_init() && write.thread() != id.thread())?;
    let address = event.address.filter(|address| address.of_word().is_none())?;
    let value = scene.value(event.read?, event.width);
    let (reader, writer) = (scene.thread_short(id.thread()), scene.thread_short(writer.thread()));
    Some(format!("{reader} {verb} {} = {value} from {writer}", scene.location(address)))
}

/// The same of the other execution.
fn reads_there(scene: &Scene<'_>, read: &ReadThere) -> Option<String> {
    let ReadThere { thread, address, width, value, writer } = *read;
    if address.of_word().is_some() {
        return None;
    }
    let name = |thread: Option<raveler_core::ThreadId>| {
        thread.map_or_else(|| "another thread".to_string(), |thread| scene.thread_short(thread.0 as usize))
    };
    let (reader, location, value) = (name(thread), scene.location(address), scene.value(value, width));
    Some(format!("{reader} reads {location} = {value} from {}", name(writer)))
}

/// Which orders would forbid the circle, between each read of it and the write that follows; may be broken at line ends.
///
/// Where every read of a circle comes before its thread's write by an order that may not be relaxed, all of it would
/// have to be committed, and no execution has it first (docs/xmm.md, E4).
pub fn help(scene: &Scene<'_>) -> Option<String> {
    let relaxed: Vec<Stretch> = circle(scene)?.into_iter().filter(|at| !at.is_ordered(scene)).collect();
    let atomic = |id: EventId| scene.event(id).is_some_and(|event| event.order != Order::Plain);
    let places = |end: fn(&Stretch) -> EventId| {
        let all_atomic = relaxed.iter().all(|stretch| atomic(end(stretch)));
        let site = |stretch: &Stretch| scene.event(end(stretch)).map_or(SiteId::NONE, |event| event.site);
        let line = |site: SiteId| scene.sources.site(site).map(|site| (site.file.as_deref(), site.line));
        let sorted: BTreeMap<_, SiteId> = relaxed.iter().map(site).map(|site| (line(site), site)).collect();
        let places: Vec<String> = sorted.into_values().map(|site| scene.place(site)).collect();
        (all_atomic && places.iter().all(|place| !place.is_empty())).then(|| listed(&places))
    };
    let acquire = places(|stretch| stretch.first).map(|at| format!("acquire at {at}"));
    let release = places(|stretch| stretch.last).map(|at| format!("release at {at}"));
    let ways: Vec<String> = acquire.into_iter().chain(release).collect();
    let comma = if ways.len() > 1 { "," } else { "" };
    (!ways.is_empty() && !relaxed.is_empty())
        .then(|| format!("{}{comma} would forbid it", ways.join(",\nor ")))
}

/// Part of a circle that lies in one thread.
struct Stretch {
    first: EventId,
    last: EventId,
    /// It begins with the thread, or ends with it: what spawns and joins order may not be relaxed.
    by_thread: bool,
}

impl Stretch {
    fn is_ordered(&self, scene: &Scene<'_>) -> bool {
        let order = |id: EventId| scene.event(id).map_or(Order::Plain, |event| event.order);
        let between = (self.first.index() + 1..self.last.index())
            .filter_map(|index| scene.event(EventId::new(self.first.thread() as u32, index)));
        let mut fences = between.filter(|event| event.kind == EventKind::Fence);
        self.by_thread
            || order(self.first).acquires()
            || order(self.last).releases()
            || fences.any(|fence| fence.order.acquires() || fence.order.releases())
    }
}

/// A circle of program order and reads, as its parts in threads: one through the first read that is told before its
/// write.
fn circle(scene: &Scene<'_>) -> Option<Vec<Stretch>> {
    let story = scene.story();
    let (read, write) = story.iter().find_map(|&id| Some((id, told_later(scene, &story, id)?)))?;
    // The shortest way from the read to the write, from each event to what it leads to.
    let mut before: BTreeMap<EventId, EventId> = BTreeMap::from([(read, read)]);
    let mut open = std::collections::VecDeque::from([read]);
    while let Some(at) = open.pop_front() {
        for next in leads_to(scene, at) {
            if let std::collections::btree_map::Entry::Vacant(entry) = before.entry(next) {
                entry.insert(at);
                open.push_back(next);
            }
        }
    }
    let mut way = vec![write];
    while *way.last()? != read {
        way.push(*before.get(way.last()?)?);
    }
    way.reverse();
    let parts = way.chunk_by(|one, next| one.thread() == next.thread() && one.index() + 1 == next.index());
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut from = write;
    for part in parts {
        let (first, last) = (part[0], part[part.len() - 1]);
        let is_read =
            scene.event(first).is_some_and(|e| e.kind != EventKind::Join && e.reads_from == Some(from));
        if !is_read {
            // A spawn or a join leads here.
            stretches.iter_mut().last()?.by_thread = true;
        }
        stretches.push(Stretch { first, last, by_thread: !is_read });
        from = last;
    }
    Some(stretches)
}

/// What directly follows an event, by program order or by reading from it.
fn leads_to(scene: &Scene<'_>, id: EventId) -> Vec<EventId> {
    let next = EventId::new(id.thread() as u32, id.index() + 1);
    let mut all: Vec<EventId> = scene.event(next).map(|_| next).into_iter().collect();
    all.extend(scene.events().filter(|(_, event)| event.reads_from == Some(id)).map(|(read, _)| read));
    let started = (0..).zip(&scene.witness.threads);
    all.extend(started.filter(|(_, t)| t.spawned_by == Some(id)).map(|(t, _)| EventId::new(t, 0)));
    all
}

/// The write that this read saw, if the story tells it later.
pub fn told_later(scene: &Scene<'_>, story: &[EventId], id: EventId) -> Option<EventId> {
    // Without committed events every read comes after its write; looking costs time in long stories.
    scene.witness.reexecution.as_ref()?;
    let write = scene.event(id)?.reads_from.filter(|write| !write.is_init())?;
    let place = |event: EventId| story.iter().position(|&other| other == event);
    (place(write)? > place(id)?).then_some(write)
}
