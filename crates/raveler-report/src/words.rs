//! Words of the engine in words for people: condition variables, and what threads leave to others.
//!
//! A condition variable is a set of threads: who waits puts itself in, a signal takes somebody out or finds nobody.

use raveler_core::outcome::WitnessEvent;
use raveler_core::{Address, EventKind, WordOf};

use crate::scene::Scene;

/// What a front-end uses the words of a thread for.
const RESULT: u64 = 0;

/// An event at a word that is no lock; none if it is an access to memory.
pub fn what(scene: &Scene<'_>, event: &WitnessEvent) -> Option<String> {
    let (read, written) = (event.read.unwrap_or(0), event.written.unwrap_or(0));
    let at = event.address?;
    Some(match (at.of_word()?, event.kind) {
        (WordOf::Memory(_), EventKind::Update) => {
            let condition = scene.location(at);
            match (written & !read, (read & !written).count_ones()) {
                (0, 1) => format!("signals {condition}: one waits"),
                (0, _) => format!("signals {condition}: all that wait"),
                _ => format!("waits for {condition}"),
            }
        }
        (WordOf::Memory(_), EventKind::Read) => {
            format!("signals {}: nobody waits", scene.location(at))
        }
        (WordOf::Thread { purpose: RESULT, .. }, EventKind::Write) => "ends with a result".into(),
        (WordOf::Thread { purpose: RESULT, .. }, _) => "gets the result".into(),
        (WordOf::Thread { thread, .. }, EventKind::Update) => {
            let spawned = |event: &WitnessEvent| event.kind == EventKind::Spawn && event.read == Some(thread);
            let spawn = scene.events().find(|(_, event)| spawned(event)).map(|(id, _)| id);
            let child = scene.witness.threads.iter().position(|t| spawn.is_some() && t.spawned_by == spawn);
            format!("wakes {}", scene.thread_short(child.unwrap_or(0)))
        }
        (WordOf::Thread { .. }, EventKind::Read) if event.reads_from.is_some_and(|from| from.is_init()) => {
            "is not woken".into()
        }
        (WordOf::Thread { .. }, EventKind::Read) => "is woken, or was once".into(),
        _ => return None,
    })
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
