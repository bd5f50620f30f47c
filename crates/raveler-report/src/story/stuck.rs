//! Why threads are stuck: which thread holds what, and what each waits for.

use std::collections::BTreeSet;

use raveler_core::outcome::ThreadEnd;
use raveler_core::{Address, EventId, EventKind};

use super::help_line;
use crate::paint::{Colour, listed};
use crate::scene::{Scene, for_reading};
use crate::words;

/// Who holds what, and who waits for what.
pub(super) fn deadlock(scene: &Scene<'_>, colour: Colour) -> Vec<String> {
    let mut lines = Vec::new();
    let mut to_itself = false;
    let mut waiting_for_locks = 0;
    let mut lost: Vec<String> = Vec::new();
    for (thread, end) in scene.witness.threads.iter().map(|t| t.end).enumerate() {
        let held = held(scene, thread);
        let holds = |(address, event): &(Address, EventId)| {
            let reading = scene.event(*event).map(for_reading).unwrap_or_default();
            format!("{}{reading} ({})", scene.location(*address), scene.place_of(*event))
        };
        let mut parts = Vec::new();
        if !held.is_empty() {
            parts.push(format!("holds {}", listed(&held.iter().map(holds).collect::<Vec<_>>())));
        }
        match end {
            ThreadEnd::Lock => {
                waiting_for_locks += 1;
                let (wait, owner) = waits_for(scene, thread);
                to_itself |= owner == Some(thread);
                parts.push(wait);
            }
            ThreadEnd::Barrier => parts.push("waits at a barrier for others to come".to_string()),
            ThreadEnd::Join => parts.push("waits for another thread to end".to_string()),
            ThreadEnd::Condition => match words::waits_for(scene, thread) {
                Some((wait, missed)) => {
                    parts.push(wait);
                    lost.extend(missed);
                }
                None => parts.push("waits for a condition".to_string()),
            },
            ThreadEnd::Done if !held.is_empty() => parts.push("has ended".to_string()),
            _ => continue,
        }
        lines.push(format!("   {} {}", scene.thread(thread), parts.join(" and ")));
    }
    lost.sort();
    lost.dedup();
    lines.extend(lost.iter().map(|line| format!("   {line}")));
    let help = if to_itself {
        Some("a lock cannot be taken again by the thread that holds it; unlock it first")
    } else if !lost.is_empty() {
        Some("change what is waited for while holding the mutex, and look at it again before waiting")
    } else if waiting_for_locks > 1 {
        Some("take the locks in the same order in every thread")
    } else {
        None
    };
    lines.extend(help.map(|text| help_line(text, colour)));
    lines
}

/// What would have to happen for each thread that waits in a loop.
pub(super) fn endless(scene: &Scene<'_>) -> Vec<String> {
    let spins = |&thread: &usize| scene.witness.threads[thread].end == ThreadEnd::Spin;
    let line = |thread: usize| {
        let seen = last_seen(scene, thread);
        let until = match seen.as_slice() {
            [] => "for ever: nothing that it does there depends on other threads".to_string(),
            [only] => format!("until {only}, and no thread that can still go on changes that"),
            seen => format!("while {}, and no thread that can still go on changes that", listed(seen)),
        };
        format!("   {} goes round {until}", scene.thread(thread))
    };
    (0..scene.witness.threads.len()).filter(spins).map(line).collect()
}

/// What a thread that waits in a loop sees in its last round: back to where it was at the same place before.
fn last_seen(scene: &Scene<'_>, thread: usize) -> Vec<String> {
    let events = &scene.witness.threads[thread].events;
    let mut sites = BTreeSet::new();
    let round = events.iter().rev().take_while(|event| sites.insert((event.site, event.address)));
    let mut seen: Vec<(Address, String)> = Vec::new();
    for event in round {
        let Some(address) = event.address.filter(|address| seen.iter().all(|(a, _)| a != address)) else {
            continue;
        };
        let name = scene.location(address);
        match (event.kind, event.read) {
            (EventKind::LockFailed, _) => seen.push((address, format!("{name} is taken"))),
            (EventKind::Read | EventKind::Update, Some(value)) => {
                seen.push((address, format!("{name} is {}", scene.value(value, event.width))));
            }
            _ => {}
        }
    }
    let mut seen: Vec<String> = seen.into_iter().map(|(_, text)| text).collect();
    seen.reverse();
    if let [only] = seen.as_mut_slice() {
        *only = only.replacen(" is ", " is no longer ", 1);
    }
    seen
}

/// What a thread waits for, in words, and which thread has it.
fn waits_for(scene: &Scene<'_>, thread: usize) -> (String, Option<usize>) {
    let last = scene.witness.threads[thread].events.last().filter(|e| e.kind == EventKind::LockFailed);
    let Some((event, address)) = last.and_then(|e| Some((e, e.address?))) else {
        return ("waits for a lock".to_string(), None);
    };
    let mut text =
        format!("waits for {}{} ({})", scene.location(address), for_reading(event), scene.place(event.site));
    let threads = 0..scene.witness.threads.len();
    let owner = threads.into_iter().find(|&t| held(scene, t).iter().any(|(a, _)| *a == address));
    if let Some(owner) = owner {
        let who = if owner == thread { "itself".to_string() } else { scene.thread_short(owner) };
        text.push_str(&format!(", held by {who}"));
    }
    (text, owner)
}

/// The locks a thread holds at the end, with the events that took them.
fn held(scene: &Scene<'_>, thread: usize) -> Vec<(Address, EventId)> {
    held_at(scene, EventId::new(thread as u32, scene.witness.threads[thread].events.len() as u32))
}

/// The locks a thread holds when it comes to an event of it.
pub(crate) fn held_at(scene: &Scene<'_>, at: EventId) -> Vec<(Address, EventId)> {
    let thread = at.thread();
    let mut held: Vec<(Address, EventId)> = Vec::new();
    for (index, event) in (0..at.index()).zip(&scene.witness.threads[thread].events) {
        match (event.kind, event.address) {
            (EventKind::Lock, Some(address)) => held.push((address, EventId::new(thread as u32, index))),
            (EventKind::Unlock, Some(address)) => {
                if let Some(last) = held.iter().rposition(|(a, _)| *a == address) {
                    held.remove(last);
                }
            }
            _ => {}
        }
    }
    held
}
