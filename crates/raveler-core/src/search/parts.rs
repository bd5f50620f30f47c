//! A search in parts that can go on in another process.
//!
//! A part is a [`Subtree`]: a graph, or a list of choices, and what is left to do there. It can be written
//! down ([`Subtree::to_bytes`]) with a fingerprint of what it belongs to. [`explore_parts`] explores parts
//! until they are done or the observer says stop, and returns what was found and the parts that are left; the
//! counts of all calls add up to those of one search.

use serde::{Deserialize, Serialize};

use super::restart::Knowledge;
use super::subtree::Subtree;
use super::{lock_aware, trust};
use crate::consistency::with_sections::WithSections;
use crate::observer::Observer;
use crate::outcome::{Outcome, StopReason};
use crate::program::Program;
use crate::run::lock_table::{LockHandling, RestartReason};
use crate::settings::Settings;

/// What came of exploring parts of a search.
#[derive(Debug)]
pub struct Explored {
    /// What was found in these parts. Nothing, if the search restarted.
    pub outcome: Outcome,
    /// The parts that are left.
    pub rest: Vec<Subtree>,
    /// What is known now: to be given to the next call.
    pub knowledge: Knowledge,
    /// The search restarted with something it learned: all that was counted before is void, also by other
    /// calls, and `rest` is the whole search.
    pub restarted: bool,
}

/// Why a part cannot be explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// It was written by another version of this library.
    Version(u8),
    /// It belongs to another program, other settings, or to a search that knew something else.
    OtherSearch,
    /// These are not the bytes of a part.
    Damaged,
    /// Its graph is not one of this program.
    Unfit,
}

impl std::fmt::Display for BadPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadPart::Version(version) => {
                write!(f, "the part has format {version}; this version reads format {VERSION}")
            }
            BadPart::OtherSearch => write!(f, "the part belongs to another program or to other options"),
            BadPart::Damaged => write!(f, "the part is damaged"),
            BadPart::Unfit => write!(f, "the part does not fit this program"),
        }
    }
}

impl std::error::Error for BadPart {}

/// The format of written parts. To be raised with every change of what is written.
const VERSION: u8 = 1;

/// What a part belongs to: a program, the settings that decide what is explored, and what was learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of a search.
    pub fn of<P: Program>(program: &P, settings: &Settings, knowledge: &Knowledge) -> Fingerprint {
        let Settings {
            model,
            equivalence,
            locks,
            races,
            all: _,
            workers: _,
            spurious_cas,
            spurious_wakeups,
            buffer_bound,
            ..
        } = settings;
        let sources = program.sources();
        let text = format!(
            "{} {equivalence:?} {locks:?} {races} {spurious_cas} {spurious_wakeups} {buffer_bound:?} {:?} {:?} {:?} {} {:?} {:?}",
            model.name(),
            program.hints().fingerprint(),
            program.objects(),
            sources.file,
            sources.text,
            knowledge.locks,
            knowledge.handling,
        );
        let bytes = text.bytes().chain(knowledge.of_program().iter().copied());
        // FNV-1a: the same everywhere.
        Fingerprint(
            bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            }),
        )
    }
}

impl Subtree {
    /// As bytes, with what it belongs to.
    pub fn to_bytes(&self, fingerprint: Fingerprint) -> Vec<u8> {
        let body = postcard::to_stdvec(&(fingerprint, self)).expect("numbers and lists can be written");
        std::iter::once(VERSION).chain(body).collect()
    }

    /// From bytes that [`Subtree::to_bytes`] made, for a search with this fingerprint.
    pub fn from_bytes(bytes: &[u8], fingerprint: Fingerprint) -> Result<Subtree, BadPart> {
        match bytes.split_first() {
            Some((&VERSION, body)) => {
                let (of, subtree): (Fingerprint, Subtree) =
                    postcard::from_bytes(body).map_err(|_| BadPart::Damaged)?;
                if of == fingerprint { Ok(subtree) } else { Err(BadPart::OtherSearch) }
            }
            Some((&version, _)) => Err(BadPart::Version(version)),
            None => Err(BadPart::Damaged),
        }
    }
}

impl Knowledge {
    /// As bytes, for another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(self).expect("numbers and lists can be written");
        std::iter::once(VERSION).chain(body).collect()
    }

    /// From bytes that [`Knowledge::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<Knowledge, BadPart> {
        match bytes.split_first() {
            Some((&VERSION, body)) => postcard::from_bytes(body).map_err(|_| BadPart::Damaged),
            Some((&version, _)) => Err(BadPart::Version(version)),
            None => Err(BadPart::Damaged),
        }
    }
}

/// Explore parts of a search, one after the other, until they are done or the observer stops.
pub(super) fn explore<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    mut knowledge: Knowledge,
    parts: Vec<Subtree>,
    observer: &mut dyn Observer<P>,
) -> Result<Explored, BadPart> {
    if !program.hints().recall(knowledge.of_program()) {
        return Err(BadPart::OtherSearch);
    }
    let (mut outcome, rest, restart) = if knowledge.handling == LockHandling::Unordered {
        lock_aware::explore::<P, K>(program, settings, &mut knowledge, parts, observer)?
    } else {
        let (locks, handling) = (&knowledge.locks, knowledge.handling);
        let mut search = trust::Search::<P, K>::new(program, settings, locks, handling, observer);
        let mut waiting = parts.into_iter();
        let mut rest = Vec::new();
        while search.ledger.stopped.is_none()
            && let Some(part) = waiting.next()
        {
            if !search.start_with(&part) {
                return Err(BadPart::Unfit);
            }
            search.run();
            rest = search.left();
        }
        rest.extend(waiting);
        (search.ledger.into_outcome(), rest, search.run.tables.restart)
    };
    let Some(reason) = restart else {
        // The observer may have said stop when all was done.
        if rest.is_empty() && outcome.stopped == Some(StopReason::Observer) {
            outcome.stopped = None;
        }
        outcome.restarts = knowledge.restarts;
        return Ok(Explored { outcome, rest, knowledge, restarted: false });
    };
    start_again(program, settings, knowledge, reason)
}

/// Restart with what was learned: there is nothing to count, and everything is left to explore.
fn start_again<P: Program>(
    program: &P,
    settings: &Settings,
    mut knowledge: Knowledge,
    reason: RestartReason,
) -> Result<Explored, BadPart> {
    let stopped: Option<StopReason> = knowledge.learn(reason, program, settings.locks).err();
    let rest = if stopped.is_some() { Vec::new() } else { vec![Subtree::whole()] };
    let outcome = Outcome { stopped, restarts: knowledge.restarts, ..Outcome::default() };
    Ok(Explored { outcome, rest, knowledge, restarted: true })
}
