//! The observer of every check: asks the limits whether to go on, prints executions where wanted, keeps the
//! first one for a picture, and passes everything on to the front-end's own observer. Until there is an execution
//! it notes where explorations are blocked, for a report that has nothing else to tell.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use raveler_core::outcome::ThreadEnd;
use raveler_core::{Counts, Execution, Flow, Fork, Observer, Program, SiteId, SourceMap, Violation, Witness};
use raveler_report::{BlockedPlace, Names, Scene, executions};

use crate::front_ends::Watching;
use crate::limits::Limits;
use crate::properties::Properties;

/// Watches a search on behalf of the command line.
pub struct Watch<'a, O> {
    /// What the front-end wants to know.
    pub inner: O,
    /// The first execution this worker saw, if it was asked for.
    pub first: Option<Witness>,
    wants_first: bool,
    /// Where threads were stuck, in how many explorations; none once an execution was seen.
    blocked: Option<BTreeMap<(SiteId, ThreadEnd), u64>>,
    /// Executions that the limits were not told about yet; workers share that counter, so they tell it rarely.
    untold: u64,
    limits: &'a Limits,
    printer: Option<&'a Printer<'a>>,
    properties: &'a Properties,
}

impl<'a, O> Watch<'a, O> {
    /// Watch a search as the command line asks.
    pub fn new(inner: O, watching: &Watching<'a>) -> Self {
        let Watching { limits, printer, wants_first, properties, .. } = *watching;
        let (first, blocked) = (None, Some(BTreeMap::new()));
        Watch { inner, first, wants_first, blocked, untold: 0, limits, printer, properties }
    }

    /// Where threads were stuck, if no execution came to its end.
    pub fn blocked(&self) -> Vec<BlockedPlace> {
        let places = self.blocked.iter().flatten();
        places.map(|(&(site, end), &explorations)| BlockedPlace { site, end, explorations }).collect()
    }

    /// Stop if either says so.
    fn or_stop(&self, flow: Flow) -> Flow {
        if flow == Flow::Stop { flow } else { self.limits.flow() }
    }
}

impl<P: Program, O: Observer<P>> Observer<P> for Watch<'_, O> {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.blocked = None;
        self.untold += 1;
        if self.untold == 1 << 10 {
            self.limits.count_executions(std::mem::take(&mut self.untold));
        }
        if self.wants_first && self.first.is_none() {
            self.first = Some(execution.witness());
        }
        if let Some(printer) = self.printer {
            printer.print(&execution.witness());
        }
        let flow = self.inner.execution(execution);
        self.or_stop(flow)
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        let flow = self.inner.reordered(execution);
        self.or_stop(flow)
    }

    fn blocked(&mut self, execution: &Execution<'_, P>) -> Flow {
        if let Some(places) = &mut self.blocked {
            let mut here = execution.stuck();
            here.sort_unstable_by_key(|&(end, site)| (site, end));
            here.dedup();
            for (end, site) in here {
                *places.entry((site, end)).or_default() += 1;
            }
        }
        let flow = self.inner.blocked(execution);
        self.or_stop(flow)
    }

    fn wants(&self, violation: &Violation) -> bool {
        self.properties.wants(violation) && self.inner.wants(violation)
    }

    fn progress(&mut self, counts: &Counts) -> Flow {
        self.limits.count_executions(std::mem::take(&mut self.untold));
        let flow = self.inner.progress(counts);
        self.or_stop(flow)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.limits.flow() == Flow::Stop || self.inner.is_over()
    }

    fn restarted(&mut self) {
        self.first = None;
        self.blocked = Some(BTreeMap::new());
        self.properties.forget();
        self.inner.restarted();
    }
}

impl<O: Fork> Fork for Watch<'_, O> {
    fn fork(&self) -> Self {
        let blocked = Some(BTreeMap::new());
        Watch { inner: self.inner.fork(), first: None, blocked, untold: 0, ..*self }
    }

    fn merge(&mut self, other: Self) {
        self.inner.merge(other.inner);
        self.first = self.first.take().or(other.first);
        self.blocked = self.blocked.take().zip(other.blocked).map(|(mut places, others)| {
            for (place, explorations) in others {
                *places.entry(place).or_default() += explorations;
            }
            places
        });
    }
}

/// Prints executions as they are found.
pub struct Printer<'a> {
    sources: &'a SourceMap,
    names: &'a Names,
    printed: AtomicU64,
}

impl<'a> Printer<'a> {
    /// A printer that numbers from 1.
    pub fn new(sources: &'a SourceMap, names: &'a Names) -> Printer<'a> {
        Printer { sources, names, printed: AtomicU64::new(0) }
    }

    fn print(&self, witness: &Witness) {
        let number = self.printed.fetch_add(1, Ordering::Relaxed) + 1;
        let scene = Scene { witness, sources: self.sources, names: self.names };
        let text = executions::render(&scene, &format!("execution {number}"));
        // A reader that has gone away does not end the check.
        let _ = writeln!(std::io::stdout().lock(), "{text}");
    }
}
