//! Why could this happen? Looks in one execution for the ordering that is missing and says what would add it.
//!
//! This is advice, not part of a verdict: it knows the shapes that cover most bugs (a hand-over without
//! synchronisation, two threads that each miss the other's write) and says nothing where none of them fits.

use raveler_core::models::{ConsistencyKind, PreservedOrder, Synchronisation};
use raveler_core::outcome::WitnessEvent;
use raveler_core::{EventId, EventKind, Model, Order};

use crate::scene::Scene;
use crate::story::held_at;

/// Which ordering is missing, and what would add it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// What is not ordered.
    pub missing: String,
    /// Why it is not, if there is more to say.
    pub why: Option<String>,
    /// What to change.
    pub help: Option<String>,
}

/// Why a read could miss a write, for the first read of the execution that one of the shapes explains.
pub fn of_stale_reads(scene: &Scene<'_>, model: Model) -> Option<Advice> {
    let story = scene.story();
    let stale: Vec<Stale> = story.iter().flat_map(|&read| stale(scene, read)).collect();
    let handover = stale.iter().find_map(|s| missing_handover(scene, model, s.missed, s.read));
    handover.or_else(|| store_buffering(scene, model, &stale))
}

/// Why two accesses race.
pub fn of_race(scene: &Scene<'_>, model: Model, first: EventId, second: EventId) -> Advice {
    let either = missing_handover(scene, model, first, second);
    either.or_else(|| missing_handover(scene, model, second, first)).unwrap_or_else(|| {
        let location = scene.event(first).and_then(|e| e.address).map(|a| scene.location(a));
        let lock = read_lock(scene, first, second);
        Advice {
            missing: format!("nothing orders {} and {}", scene.place_of(first), scene.place_of(second)),
            why: lock
                .as_ref()
                .map(|l| format!("{l} is taken for reading, which does not keep other readers out")),
            help: location.map(|x| match lock {
                Some(l) => format!("take {l} for writing where {x} is written"),
                None => format!("make {x} atomic, or guard both accesses with the same lock"),
            }),
        }
    })
}

/// A lock that both threads hold, each for reading.
fn read_lock(scene: &Scene<'_>, first: EventId, second: EventId) -> Option<String> {
    let reading = |at: EventId| {
        let held = held_at(scene, at).into_iter();
        held.filter(|&(_, lock)| scene.event(lock).is_some_and(|e| e.shared)).map(|(address, _)| address)
    };
    reading(first).find(|lock| reading(second).any(|other| other == *lock)).map(|lock| scene.location(lock))
}

/// A read, and a write of another thread to the same location that came after the one it saw.
struct Stale {
    read: EventId,
    missed: EventId,
}

fn stale(scene: &Scene<'_>, read: EventId) -> Vec<Stale> {
    let Some((address, source)) = scene.event(read).and_then(|e| Some((e.address?, e.reads_from?))) else {
        return Vec::new();
    };
    let order = scene.witness.coherence.iter().find(|(a, _)| *a == address);
    let Some(seen) = order.and_then(|(_, writes)| writes.iter().position(|&w| w == source)) else {
        return Vec::new();
    };
    let later = order.into_iter().flat_map(|(_, writes)| writes[seen + 1..].iter().copied());
    later.filter(|w| w.thread() != read.thread()).map(|missed| Stale { read, missed }).collect()
}

/// Message passing: after `from`, its thread wrote something that the thread of `to` read before `to`, and yet
/// that did not order the two.
fn missing_handover(scene: &Scene<'_>, model: Model, from: EventId, to: EventId) -> Option<Advice> {
    let passed = scene.events().find_map(|(read, event)| {
        let write = event.reads_from?;
        let right_threads =
            read.thread() == to.thread() && !write.is_init() && write.thread() == from.thread();
        (right_threads && read.index() < to.index() && write.index() > from.index()).then_some((write, read))
    });
    let (write, read) = passed?;
    let (written, seen) = (scene.event(write)?, scene.event(read)?);
    if !is_access(written) || !is_access(seen) {
        return None;
    }
    let releases = written.order.releases() || fence_between(scene, from, write, Order::releases);
    let acquires = seen.order.acquires() || fence_between(scene, read, to, Order::acquires);
    let (write_place, read_place) = (scene.place(written.site), scene.place(seen.site));
    let unordered = format!("nothing orders {} before {}", scene.place_of(from), scene.place_of(to));
    match model.causal().definition().consistency {
        ConsistencyKind::GlobalOrder(rules) => match rules.preserved {
            PreservedOrder::StoresOfOneLocation if !releases => Some(Advice {
                missing: unordered,
                why: Some(format!(
                    "under {} a write may overtake an earlier one to another location",
                    model.name()
                )),
                help: Some(format!("release at {write_place} would")),
            }),
            PreservedOrder::StoresOfOneLocation
            | PreservedOrder::StoresBeforeStores
            | PreservedOrder::All => None,
        },
        ConsistencyKind::HappensBefore(Synchronisation::Always) | ConsistencyKind::BuiltOn(_) => None,
        ConsistencyKind::HappensBefore(Synchronisation::C11(..)) if releases && acquires => None,
        ConsistencyKind::HappensBefore(Synchronisation::C11(..)) => {
            let (write, read) = (with_article(written.order), with_article(seen.order));
            let why = Some(format!("{write} write and {read} read do not synchronise"));
            let mut needed = Vec::new();
            if !releases {
                needed.push(format!("release at {write_place}"));
            }
            if !acquires {
                needed.push(format!("acquire at {read_place}"));
            }
            Some(Advice { missing: unordered, why, help: Some(format!("{} would", needed.join(" and "))) })
        }
    }
}

/// Store buffering: each of two threads writes one location and then misses the other's write.
fn store_buffering(scene: &Scene<'_>, model: Model, stale: &[Stale]) -> Option<Advice> {
    if model.definition().is_sequential() {
        return None;
    }
    let pairs = stale.iter().flat_map(|one| stale.iter().map(move |other| (one, other)));
    let crossed = |one: &Stale, other: &Stale| {
        one.read.thread() == other.missed.thread()
            && other.read.thread() == one.missed.thread()
            && other.missed.index() < one.read.index()
            && one.missed.index() < other.read.index()
    };
    let (one, other) = pairs.into_iter().find(|(one, other)| crossed(one, other))?;
    let line =
        |read: EventId, write: EventId| format!("{} before {}", scene.place_of(write), scene.place_of(read));
    let missing =
        format!("nothing orders {}, nor {}", line(one.read, other.missed), line(other.read, one.missed));
    // Under some models neither fences nor seq_cst have an effect (docs/engine.md, "Memory models").
    let help = model
        .definition()
        .sc_orders
        .then(|| "a seq_cst fence between them in both threads, or seq_cst for all four, would".to_string());
    let why = Some("a write may take effect after a later read of another location".to_string());
    Some(Advice { missing, why, help })
}

fn is_access(event: &WitnessEvent) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write | EventKind::Update)
}

fn fence_between(scene: &Scene<'_>, from: EventId, to: EventId, strong: fn(Order) -> bool) -> bool {
    let events = &scene.witness.threads[from.thread()].events;
    let between = events.iter().take(to.index() as usize).skip(from.index() as usize + 1);
    between.into_iter().any(|e| e.kind == EventKind::Fence && strong(e.order))
}

fn with_article(order: Order) -> String {
    let article = if matches!(order, Order::Acquire | Order::AcqRel) { "an" } else { "a" };
    format!("{article} {}", order.name())
}
