//! XMM: the executions of RC20, and those that are made of them by executing again (docs/xmm.md).
//!
//! First the ordinary search, with an observer that looks at each leaf for load-buffering races and remembers what
//! may be committed. If there is nothing, the search is over. Otherwise a second search, forward only, finds the
//! executions in which program order and reads-from have a cycle, and asks of each whether a known execution justifies
//! it. What it finds may justify more, so this is repeated until nothing new is found.
//!
//! - [`view`], [`nodes`], [`logs`], [`shape`]: an execution as XMM sees it; [`rows`]: relations as bits;
//! - [`lb_races`], [`race_report`]: load-buffering races, and the edges that may be committed;
//! - [`sources`]: what is remembered of executions;
//! - [`committed`], [`parts`], [`strict`]: is a candidate justified? [`origin`]: by what, for reports;
//! - [`reexecution`], [`choices`], [`leaf`], [`promises`]: the search for candidates, [`findings`] what it finds,
//!   [`workers`] a round of it; [`possible`], [`closing`]: can a cycle still close?
//! - [`sections`]: the order of critical sections that no word of memory shows;
//! - [`orders`]: coherence orders, where they are not part of an execution;
//! - `definition`: the model's definition is asked whether it says the same (feature `paranoid`).

mod choices;
mod closing;
mod committed;
#[cfg(any(test, feature = "paranoid"))]
mod definition;
mod findings;
mod lb_races;
mod leaf;
mod logs;
mod nodes;
mod orders;
mod origin;
mod parts;
mod possible;
mod promises;
mod race_report;
mod reexecution;
mod rows;
mod sections;
mod shape;
mod sources;
mod strict;
mod view;
mod workers;

use self::findings::Findings;
use self::logs::Logs;
use self::possible::{Locations, Possible};
use self::race_report::RaceReport;
use self::reexecution::Start;
use self::shape::Shapes;
use self::sources::Sources;
use self::view::View;
use super::restart::Knowledge;
use crate::consistency::Consistency;
use crate::consistency::hb_co::HbCoherence;
use crate::consistency::with_sections::WithSections;
use crate::execution::Execution;
use crate::graph::Loc;
use crate::id::SiteId;
use crate::mutation::Mutant;
use crate::observer::{Flow, Observer, Watchers};
use crate::outcome::{Counts, Outcome, StopReason, Violation};
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockHandling, RestartReason};
use crate::settings::{Equivalence, Locks, Settings, XmmRules};

/// So often are executions executed again at most. Few programs need more than three rounds; where values grow from
/// round to round there is no end.
const MOST_ROUNDS: u32 = 64;

/// One search with what is known, and why the search has to restart, if something was learned.
pub(super) fn search<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    let mut watch = Watch::new(settings, watchers.first);
    let mut others: Vec<Watch<'_, P>> =
        watchers.others.iter_mut().map(|observer| Watch::new(settings, *observer)).collect();
    let others_seen = others.iter_mut().map(|other| other as &mut dyn Observer<P>);
    let (mut outcome, restart) = super::explore_causal::<P, K>(
        program,
        settings,
        knowledge,
        &mut Watchers::new(&mut watch, others_seen),
    );
    let Watch { mut sources, mut races, mut cyclic, .. } = watch;
    if !others.is_empty() {
        let mut of_workers = vec![sources];
        for other in others {
            of_workers.push(other.sources);
            races.merge(other.races);
            cyclic = cyclic.or(other.cyclic);
        }
        sources = Sources::joined(settings, of_workers.into_iter());
    }
    let is_over = outcome.stopped.is_some() || restart.is_some() || !sources.has_edges();
    let restart = match is_over || settings.model.causal() == settings.model {
        true => restart,
        false => {
            let known = (sources, cyclic.map(|cyclic| cyclic.possible));
            reexecute(program, settings, knowledge, watchers, known, (&mut outcome, &mut races))
        }
    };
    races.finish(&mut outcome);
    (outcome, restart)
}

/// Find the executions with cycles, round by round.
fn reexecute<P: Program>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    watchers: &mut Watchers<'_, P>,
    (sources, possible): (Sources, Option<Possible>),
    (outcome, races): (&mut Outcome, &mut RaceReport),
) -> Option<RestartReason> {
    let unsupported =
        |message: &str| Some(StopReason::Unsupported { message: message.to_owned(), site: SiteId::NONE });
    if knowledge.handling == LockHandling::Unordered
        && let Some(message) = refusal(settings, knowledge)
    {
        outcome.stopped = unsupported(message);
        return None;
    }
    let (locks, handling) = (&knowledge.locks, knowledge.handling);
    let possible = possible.expect("nothing is a source before it is asked what threads may do");
    let mut start = Start { sources, known_before: 0, had_crossing: false, possible };
    for _ in 0..MOST_ROUNDS {
        let known = start.sources.len();
        start.sources.begin_round();
        if !start.possible.holds_for_promises() {
            let run = Run::new(program, settings, locks, handling);
            let promised = start.sources.promised();
            let is_over = || watchers.first.is_over();
            start.possible = Possible::new(program, &run.tables, settings.spurious_cas, promised, &is_over);
        }
        let mut end =
            workers::round(program, settings, (locks, handling), watchers, start, outcome.counts.executions);
        let mut is_new = end.findings.remember(&mut end.start.sources);
        // What was left out because all cycles seemed to be cycles of threads must be remembered after all.
        is_new |= end.findings.has_crossing && !end.start.had_crossing;
        let Findings { has_crossing, duplicates, races: found, .. } = end.findings;
        races.merge(found);
        outcome.join(Outcome { duplicates, ..end.outcome });
        if outcome.stopped.is_some() || end.restart.is_some() || !is_new {
            return end.restart;
        }
        let had_crossing = has_crossing || end.start.had_crossing;
        start = Start { known_before: known, had_crossing, ..end.start };
    }
    outcome.stopped = Some(StopReason::Rounds(MOST_ROUNDS));
    None
}

/// What is not known of reader-writer locks where executions may be executed again.
fn refusal(settings: &Settings, knowledge: &Knowledge) -> Option<&'static str> {
    if !knowledge.locks.tried.is_empty() {
        return Some(
            "reader-writer locks that are tried are not supported under xmm where threads have load-buffering races; \
             take them without trying, or check all other executions with --model rc20",
        );
    }
    if settings.locks == Locks::Aware {
        return Some(
            "critical sections have an order under xmm where threads have load-buffering races; use --locks ordered",
        );
    }
    // Ends of sections would have to be promised: edges from releases to acquires may be committed alone there.
    (settings.xmm_rules == XmmRules::Printed).then_some(
        "reader-writer locks are not supported with --xmm-rules printed where threads have load-buffering races; \
         use other rules, or check all other executions with --model rc20",
    )
}

/// Over which locations cycles may lead.
struct Cyclic {
    locations: Locations,
    possible: Possible,
}

impl Cyclic {
    fn new(sources: &Sources, possible: Possible) -> Cyclic {
        Cyclic { locations: sources.where_promised(possible.ever_cyclic()), possible }
    }

    fn is_empty(&self) -> bool {
        self.locations == 0
    }

    fn has<P: Program>(&self, run: &Run<'_, P>, loc: Loc) -> bool {
        let address = run.tables.memory.locations[loc as usize].address;
        self.possible.location(address) & self.locations != 0
    }
}

/// Looks at the leaves of the ordinary search.
struct Watch<'s, P: Program> {
    inner: &'s mut dyn Observer<P>,
    settings: &'s Settings,
    sources: Sources,
    /// Over which locations cycles may lead. Not known before an execution could be executed again.
    cyclic: Option<Cyclic>,
    races: RaceReport,
    shapes: Shapes,
}

impl<'s, P: Program> Watch<'s, P> {
    fn new(settings: &'s Settings, inner: &'s mut dyn Observer<P>) -> Watch<'s, P> {
        let sources = Sources::new(settings);
        Watch {
            inner,
            settings,
            sources,
            cyclic: None,
            races: RaceReport::default(),
            shapes: Shapes::default(),
        }
    }

    fn view(&self, execution: &Execution<'_, P>) -> View {
        let (run, graph) = (execution.run(), execution.graph());
        let follows = match run.tables.locks.leaves_any_unordered() {
            true => sections::in_order(graph, &execution.lock_edges()),
            false => Vec::new(),
        };
        View::new(run, graph, &Logs::of(run, graph), &self.shapes, &follows)
    }

    /// Remember what may be committed of a leaf.
    fn look(&mut self, execution: &Execution<'_, P>) {
        let (run, graph) = (execution.run(), execution.graph());
        if self.settings.model == self.settings.model.causal()
            || self.cyclic.as_ref().is_some_and(Cyclic::is_empty)
        {
            return;
        }
        let may_be = |cyclic: &Cyclic| self.sources.wants(graph, |loc| cyclic.has(run, loc));
        let is_wanted = match &self.cyclic {
            Some(cyclic) => may_be(cyclic),
            // What threads may do is asked when the first execution could be executed again.
            None => {
                self.sources.wants(graph, |_| true) && {
                    let spurious_cas = self.settings.spurious_cas;
                    let (none, is_over) = (std::iter::empty(), || self.inner.is_over());
                    let possible = Possible::new(run.program, &run.tables, spurious_cas, none, &is_over);
                    let cyclic = Cyclic::new(&self.sources, possible);
                    let is_wanted = may_be(&cyclic);
                    self.cyclic = Some(cyclic);
                    is_wanted
                }
            }
        };
        if !is_wanted {
            return;
        }
        let view = self.view(execution);
        let orders = match self.settings.equivalence {
            Equivalence::Coherence => vec![orders::of_graph(&view)],
            Equivalence::ReadsFrom => orders::all(&HbCoherence::new(self.settings), graph, &view),
        };
        self.sources.remember(&view, &orders);
    }
}

impl<P: Program> Observer<P> for Watch<'_, P> {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        if self.settings.lb_races {
            let (run, graph) = (execution.run(), execution.graph());
            self.races.look(run, graph, &self.view(execution));
        }
        self.look(execution);
        self.inner.execution(execution)
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.inner.reordered(execution)
    }

    fn blocked(&mut self, execution: &Execution<'_, P>) -> Flow {
        if !Mutant::BlockedForgotten.is_active() {
            self.look(execution);
        }
        self.inner.blocked(execution)
    }

    fn failed(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.look(execution);
        self.inner.failed(execution)
    }

    fn wants(&self, violation: &Violation) -> bool {
        self.inner.wants(violation)
    }

    fn progress(&mut self, counts: &Counts) -> Flow {
        self.inner.progress(counts)
    }

    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    fn interval(&self) -> u32 {
        self.inner.interval()
    }

    fn restarted(&mut self) {
        self.sources = Sources::new(self.settings);
        self.cyclic = None;
        self.races = RaceReport::default();
        self.shapes = Shapes::default();
        self.inner.restarted();
    }
}
