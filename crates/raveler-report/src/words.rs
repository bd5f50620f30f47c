//! Words of the engine in words for people: condition variables, and what threads leave to others.
//!
//! A condition variable is a set of threads: who waits puts itself in, a signal takes somebody out or finds nobody.

use raveler_core::outcome::{ThreadEnd, WitnessEvent};
use raveler_core::{Address, EventId, EventKind, WordOf};

use crate::scene::Scene;

/// What a front-end uses the words of a thread for.
const RESULT: u64 = 0;
const BELL: u64 = 1;
const SECTION: u64 = 2;

/// An event at a word that is no lock; none if it is an access to memory.
pub fn what(scene: &Scene<'_>, id: EventId) -> Option<String> {
    let event = scene.event(id)?;
    let next = scene.event(EventId::new(id.thread() as u32, id.index() + 1));
    let (read, written) = (event.read.unwrap_or(0), event.written.unwrap_or(0));
    let at = event.address?;
    Some(match (at.of_word()?, event.kind) {
        (WordOf::Memory(_), EventKind::Update) => {
            let condition = scene.location(at);
            let rings = next
                .and_then(|e| e.address?.of_word())
                .is_some_and(|word| matches!(word, WordOf::Thread { purpose: BELL, .. }));
            match (written & !read, (read & !written).count_ones()) {
                (0, 1) if !rings => format!("waits no longer for {condition}"),
                (0, 1) if read.count_ones() == 1 => format!("signals {condition}: one waits"),
                (0, 1) => format!("signals {condition}: {} wait, one is woken", read.count_ones()),
                (0, count) => format!("signals {condition}: {count} wait"),
                _ => format!("waits for {condition}"),
            }
        }
        (WordOf::Memory(_), EventKind::Read) => {
            format!("signals {}: nobody waits", scene.location(at))
        }
        (WordOf::Thread { purpose: RESULT, .. }, EventKind::Write) => "ends with a result".into(),
        (WordOf::Thread { purpose: RESULT, .. }, _) => "gets the result".into(),
        (WordOf::Thread { thread, purpose: BELL }, EventKind::Update) => {
            format!("wakes {}", named(scene, thread))
        }
        (WordOf::Thread { purpose: BELL, .. }, EventKind::Read) => {
            let stuck = next.is_none() && scene.witness.threads[id.thread()].end == ThreadEnd::Condition;
            if stuck { "is not woken" } else { "is woken" }.into()
        }
        _ => return None,
    })
}

/// Is this the choice of whom a signal wakes? What follows says so.
pub fn picks(scene: &Scene<'_>, id: EventId) -> bool {
    let next = scene.event(EventId::new(id.thread() as u32, id.index() + 1));
    scene.event(id).is_some_and(|event| event.kind == EventKind::Choose)
        && next.is_some_and(|next| matches!(next.address.and_then(Address::of_word), Some(WordOf::Memory(_))))
}

/// What a word of a thread is called, where it has to have a name.
pub fn name(scene: &Scene<'_>, thread: u64, purpose: u64) -> String {
    match purpose {
        RESULT => format!("result of {}", named(scene, thread)),
        BELL => format!("signals to {}", named(scene, thread)),
        SECTION => "the atomic section".into(),
        _ => "size".into(),
    }
}

/// A thread by the number that programs give it.
fn named(scene: &Scene<'_>, thread: u64) -> String {
    let spawns = |event: &WitnessEvent| event.kind == EventKind::Spawn && event.read == Some(thread);
    let spawn = scene.events().find(|(_, event)| spawns(event)).map(|(id, _)| id);
    let child = scene.witness.threads.iter().position(|t| spawn.is_some() && t.spawned_by == spawn);
    scene.thread_short(child.unwrap_or(0))
}

/// The condition variable that a thread waits for at its end, and where; then the signals to it that nobody heard.
pub fn waits_for(scene: &Scene<'_>, thread: usize) -> Option<(String, Vec<String>)> {
    let is_condition = |event: &WitnessEvent, kind| {
        event.kind == kind && matches!(event.address.and_then(Address::of_word), Some(WordOf::Memory(_)))
    };
    let wait = scene.witness.threads[thread].events.iter().rfind(|e| is_condition(e, EventKind::Update))?;
    let at = wait.address?;
    let text = format!("waits for {} to be signalled ({})", scene.location(at), scene.place(wait.site));
    let lost = scene
        .events()
        .filter(|(_, event)| is_condition(event, EventKind::Read) && event.address == wait.address)
        .map(|(id, event)| {
            format!(
                "{} signals {} when nobody waits ({})",
                scene.thread(id.thread()),
                scene.location(at),
                scene.place(event.site)
            )
        })
        .collect();
    Some((text, lost))
}
