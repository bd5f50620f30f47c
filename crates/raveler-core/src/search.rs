//! The search: every execution that can differ, each exactly once (docs/engine.md, "The search").
//!
//! - `trust`: the ordinary search, with revisits;
//! - `buffers`: the search by interleavings, for models with store buffers;
//! - `lock_aware`: the search that leaves critical sections unordered;
//! - `restart`: what searches learn, and restarting with it;
//! - `ledger`: what every search counts;
//! - `subtree`, `workers`, `parts`: parts of a search as values, workers that hand them on, searches that go
//!   on in another process;
//! - `replay`: one execution that was found before, followed event by event;
//! - `random`: random walks, where exhaustion is out of reach;
//! - [`estimate`]: how many executions there are, by random walks.

mod buffers;
mod estimate;
mod ledger;
mod lock_aware;
mod parts;
mod random;
mod replay;
mod restart;
mod subtree;
mod trust;
mod workers;
mod xmm;

pub use self::estimate::Estimate;
pub use self::parts::{BadPart, Explored, Fingerprint};
pub use self::replay::{BadReplay, Recording, ShownAs};
pub use self::restart::Knowledge;
pub use self::subtree::Subtree;

use self::ledger::Ledger;
use self::restart::until_settled;
use crate::check::{self, Finding};
use crate::consistency::global::GlobalOrder;
use crate::consistency::happens_before;
use crate::consistency::hb_co::HbCoherence;
use crate::consistency::hb_rf::HbReadsFrom;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Graph, ThreadStatus};
use crate::id::EventId;
use crate::models::{ConsistencyKind, Model};
use crate::observer::{Fork, Observer, Watchers};
use crate::outcome::{Outcome, StopReason};
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockHandling, RestartReason};
use crate::run::resolve::Request;
use crate::settings::{Engine, Equivalence, Settings};

/// Choose the consistency check for the settings, once, as a type: `$order` names it in `$run`.
macro_rules! with_order {
    ($settings:expr, $order:ident => $run:expr) => {
        match ($settings.model.causal().definition().consistency, $settings.equivalence) {
            (ConsistencyKind::GlobalOrder(_), Equivalence::ReadsFrom) => {
                type $order = GlobalOrder<false>;
                $run
            }
            (ConsistencyKind::GlobalOrder(_), Equivalence::Coherence) => {
                type $order = GlobalOrder<true>;
                $run
            }
            (ConsistencyKind::HappensBefore(_), Equivalence::ReadsFrom) => {
                type $order = HbReadsFrom;
                $run
            }
            (ConsistencyKind::HappensBefore(_), Equivalence::Coherence) => {
                type $order = HbCoherence;
                $run
            }
            (ConsistencyKind::BuiltOn(_), _) => unreachable!("a causal model is built on no other"),
        }
    };
}

/// Explore every execution of `program` that can differ under the settings' model and equivalence, each once.
pub fn search<P: Program, O: Observer<P> + Fork>(
    program: &P,
    settings: &Settings,
    observer: &mut O,
) -> Outcome {
    Watchers::fork(observer, settings.workers, |watchers| search_watched(program, settings, watchers))
}

/// The same, with an observer for each worker; for [`searches_of!`](crate::searches_of).
#[doc(hidden)]
pub fn search_watched<P: Program>(
    program: &P,
    settings: &Settings,
    watchers: &mut Watchers<'_, P>,
) -> Outcome {
    match settings.engine {
        Engine::Graph => with_order!(settings, K => explore::<P, K>(program, settings, watchers)),
        Engine::Interleaving => buffers::explore(program, settings, watchers),
    }
}

fn explore<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    watchers: &mut Watchers<'_, P>,
) -> Outcome {
    let (mut outcome, mut knowledge, refused) = until_settled(program, settings, |knowledge| {
        if knowledge.restarts > 0 {
            watchers.restarted();
        }
        explore_once::<P, K>(program, settings, knowledge, watchers)
    });
    if let Some(reason) = refused {
        return Outcome { stopped: Some(reason), restarts: knowledge.restarts, ..outcome };
    }
    outcome.restarts = knowledge.restarts;
    knowledge.ask(program);
    outcome.knowledge = knowledge.for_replay().to_bytes();
    outcome.violations.sort_by_key(workers::place_of);
    outcome
}

/// One search with what is known. Returns why the search has to restart, if something was learned.
fn explore_once<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    if let Some(walks) = settings.random {
        return random::search::<P, K>(program, settings, walks, knowledge, watchers);
    }
    match settings.model.definition().consistency {
        ConsistencyKind::BuiltOn(_) => xmm::search::<P, K>(program, settings, knowledge, watchers),
        // Load-buffering races are counted by the same observer.
        _ if settings.lb_races => xmm::search::<P, K>(program, settings, knowledge, watchers),
        ConsistencyKind::GlobalOrder(_) | ConsistencyKind::HappensBefore(_) => {
            explore_causal::<P, K>(program, settings, knowledge, watchers)
        }
    }
}

/// The same for the executions that are built event by event.
fn explore_causal<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    program.hints().watch();
    if knowledge.handling == LockHandling::Unordered {
        lock_aware::search::<P, K>(program, settings, knowledge, watchers)
    } else if settings.workers > 1 {
        workers::search::<P, K>(program, settings, knowledge, watchers)
    } else {
        let mut search = trust::Search::<P, K>::new(
            program,
            settings,
            &knowledge.locks,
            knowledge.handling,
            watchers.first,
        );
        search.run();
        (search.ledger.into_outcome(), search.run.tables.restart)
    }
}

/// [`search`], [`replay`] and [`estimate`] as functions of a front-end, for one type of program.
///
/// Searches are generic, and compiled again in each crate that calls them. A front-end that several crates use says this once,
/// and they call its functions.
#[macro_export]
macro_rules! searches_of {
    ($program:ty) => {
        /// `raveler_core::search` for programs of this front-end.
        pub fn search<O: $crate::Observer<$program> + $crate::Fork>(
            program: &$program,
            settings: &$crate::Settings,
            observer: &mut O,
        ) -> $crate::Outcome {
            $crate::observer::Watchers::fork(observer, settings.workers, |watchers| {
                search_watched(program, settings, watchers)
            })
        }

        fn search_watched(
            program: &$program,
            settings: &$crate::Settings,
            watchers: &mut $crate::observer::Watchers<'_, $program>,
        ) -> $crate::Outcome {
            $crate::search_watched(program, settings, watchers)
        }

        /// `raveler_core::replay` for programs of this front-end.
        pub fn replay(
            program: &$program,
            settings: &$crate::Settings,
            recording: &$crate::Recording,
            observer: &mut dyn $crate::Observer<$program>,
        ) -> Result<$crate::Outcome, $crate::BadReplay> {
            $crate::replay(program, settings, recording, observer)
        }

        /// `raveler_core::estimate` for programs of this front-end.
        pub fn estimate(
            program: &$program,
            settings: &$crate::Settings,
            probes: u64,
            seed: u64,
            keep_going: &mut dyn FnMut() -> bool,
        ) -> $crate::Estimate {
            $crate::estimate(program, settings, probes, seed, keep_going)
        }
    };
}

/// Explore parts of a search until they are done or the observer says stop: what was found, and the parts
/// that are left.
///
/// A search begins with [`Knowledge::new`] and the one part [`Subtree::whole`]. Each call is given the
/// knowledge that the last one returned. The counts of all calls since the last restart add up to those of
/// one search; `settings.workers` plays no role.
pub fn explore_parts<P: Program>(
    program: &P,
    settings: &Settings,
    knowledge: Knowledge,
    parts: Vec<Subtree>,
    observer: &mut dyn Observer<P>,
) -> Result<Explored, BadPart> {
    with_order!(settings, K => parts::explore::<P, K>(program, settings, knowledge, parts, observer))
}

/// Run the execution of a recording again, and report what it was recorded for; the observer sees it if it was recorded
/// as a complete execution. The settings must be those under which it was found; `all`, `workers`, `random` and limits
/// play no role.
pub fn replay<P: Program>(
    program: &P,
    settings: &Settings,
    recording: &Recording,
    observer: &mut dyn Observer<P>,
) -> Result<Outcome, BadReplay> {
    with_order!(settings, K => replay::replay::<P, K>(program, settings, recording, observer))
}

/// Guess how many executions there are by `probes` random walks, as long as `keep_going` answers true.
pub fn estimate<P: Program>(
    program: &P,
    settings: &Settings,
    probes: u64,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Estimate {
    with_order!(settings, K => estimate::sample::<P, K>(program, settings, probes, seed, keep_going))
}

/// Ask every thread whose next request is not known, and call `wrong` with each request that is a mistake.
/// False if the search has to stop.
fn ask_threads<P: Program>(
    run: &mut Run<'_, P>,
    ledger: &mut Ledger<'_, P>,
    graph: &mut Graph,
    order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    wrong: impl FnMut(&Run<'_, P>, &mut Ledger<'_, P>, &Graph, Finding),
) -> bool {
    ask_these(run, ledger, graph, None, order, wrong)
}

/// The same; only one thread is to be asked, at most, if `only` says which.
#[inline]
fn ask_these<P: Program>(
    run: &mut Run<'_, P>,
    ledger: &mut Ledger<'_, P>,
    graph: &mut Graph,
    only: Option<usize>,
    order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    mut wrong: impl FnMut(&Run<'_, P>, &mut Ledger<'_, P>, &Graph, Finding),
) -> bool {
    debug_assert!(only.is_none_or(|only| {
        let mut status = graph.status.iter().enumerate();
        status.all(|(thread, &status)| thread == only || status != ThreadStatus::Unasked)
    }));
    loop {
        let thread = match only {
            None => run.ask_next(graph, order),
            Some(thread) if graph.status[thread] != ThreadStatus::Unasked || run.is_told(graph, thread) => {
                None
            }
            Some(thread) => run.ask_thread(graph, thread, order).then_some(thread),
        };
        let Some(thread) = thread else { return true };
        if run.tables.restart.is_some() {
            ledger.stop(StopReason::Restart);
            return false;
        }
        if run.may_be_wrong(&run.step(graph, thread).request) {
            if let Some(finding) = check::request(run, graph, thread) {
                wrong(run, ledger, graph, finding);
            }
            let step = run.step(graph, thread);
            if let Request::Unsupported(message) = &step.request {
                ledger.stop(StopReason::Unsupported { message: message.clone(), site: step.site });
            }
            if ledger.stopped.is_some() {
                return false;
            }
        }
        if only.is_some() {
            return true;
        }
    }
}

/// A graph without events, for a program under a model; `with_sections` if critical sections are left
/// unordered.
fn empty_graph<P: Program>(program: &P, model: Model, with_sections: bool) -> Graph {
    let clocks = happens_before::clock_rules(model, with_sections);
    let mut graph = Graph::new(program.threads() as usize, clocks);
    graph.status.fill(ThreadStatus::Unasked);
    graph
}
