//! Executions as text, to see what a search found.

use std::fmt::Write;

use raveler_core::execution::Execution;
use raveler_core::observer::Flow;
use raveler_core::outcome::Half;
use raveler_core::{Equivalence, EventId, Fork, Observer, Program, Witness, search};

use super::measure;
use super::program::LineProgram;
use super::table::{Row, Rules};

/// All executions of a row's program, with the value that each read gets, where from, and the order of writes; of those
/// that were made of others what was committed, and the round that found the other (0: an execution of rc20).
pub fn show(row: &Row, rules: Rules, equivalence: Equivalence) -> Result<String, String> {
    let program = row.program()?;
    let mut texts = Texts::default();
    let outcome = search(&program, &rules.settings(equivalence), &mut texts);
    let mut text = format!("{}: {}\n", row.name, row.text);
    texts.0.sort();
    for (index, execution) in texts.0.iter().enumerate() {
        let _ = write!(text, "\nexecution {}\n{execution}", index + 1);
    }
    let counts = outcome.counts;
    let (by, executions, blocked) = (measure::name(equivalence), counts.executions, counts.blocked);
    let _ = writeln!(text, "\n{rules} {by}: {executions} executions, {blocked} blocked");
    if let Some(expected) = row.expected(rules) {
        let _ = writeln!(text, "expected: {}", expected.get(equivalence));
    }
    if let Some(reason) = outcome.stopped {
        let _ = writeln!(text, "the search stopped: {reason:?}");
    }
    for violation in outcome.violations {
        let _ = writeln!(text, "a violation: {}: {}", violation.kind.name(), violation.message);
    }
    Ok(text)
}

/// Collects the texts. They are sorted at the end, so that two searches of one program can be compared line by line.
#[derive(Default)]
struct Texts(Vec<String>);

impl Observer<LineProgram> for Texts {
    fn execution(&mut self, execution: &Execution<'_, LineProgram>) -> Flow {
        self.0.push(describe(execution));
        Flow::Continue
    }

    fn restarted(&mut self) {
        self.0.clear();
    }
}

impl Fork for Texts {
    fn fork(&self) -> Self {
        Texts::default()
    }

    fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

fn describe(execution: &Execution<'_, LineProgram>) -> String {
    let (program, witness) = (execution.program(), execution.witness());
    let sources = program.sources();
    let mut text = String::new();
    for (number, cursor) in execution.cursors().enumerate() {
        let registers: Vec<String> =
            program.registers(cursor).map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(text, "  P{number}: {}", registers.join(" "));
        for (index, event) in witness.threads[number].events.iter().enumerate() {
            let id = EventId::new(number as u32, index as u32);
            let statement = sources.site(event.site).map_or("", |site| site.text.as_str());
            let _ = write!(text, "    {:6} {statement:20}", format!("{id:?}"));
            if let Some(read) = event.read.filter(|_| event.reads_from.is_some()) {
                let from = event.reads_from.unwrap_or(EventId::INIT);
                let _ = write!(text, " reads {} from {from:?}", read as i64);
            }
            if let Some(written) = event.written {
                let _ = write!(text, " writes {}", written as i64);
            }
            text.push_str(match witness.committed(id).map(|committed| committed.half) {
                None => "",
                Some(None) => "  committed",
                Some(Some(Half::Read)) => "  its read committed",
                Some(Some(Half::Write)) => "  its write committed",
            });
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    if is_cyclic(&witness) {
        text.push_str("  po and rf are cyclic\n");
    }
    if let Some(reexecution) = &witness.reexecution {
        let _ = writeln!(text, "  executed again from an execution of round {}", reexecution.round);
    }
    for (address, writes) in witness.coherence.iter().filter(|(_, writes)| writes.len() > 1) {
        let writes: Vec<String> = writes.iter().map(|write| format!("{write:?}")).collect();
        let _ = writeln!(text, "  {}: {}", program.location(*address), writes.join(" < "));
    }
    text
}

/// Is there a cycle of program order and reads-from? Such an execution is one of xmm alone.
pub fn is_cyclic(witness: &Witness) -> bool {
    let mut done = vec![0; witness.threads.len()];
    loop {
        let mut progress = false;
        for (thread, events) in witness.threads.iter().enumerate() {
            while let Some(event) = events.events.get(done[thread]) {
                let from = event.reads_from.filter(|from| !from.is_init());
                if from.is_some_and(|from| from.index() as usize >= done[from.thread()]) {
                    break;
                }
                done[thread] += 1;
                progress = true;
            }
        }
        if !progress {
            return witness.threads.iter().zip(&done).any(|(thread, &done)| done < thread.events.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use raveler_core::outcome::{EventKind, WitnessEvent, WitnessThread};
    use raveler_core::{Order, SiteId, Width};

    use super::*;

    fn event(reads_from: Option<EventId>) -> WitnessEvent {
        WitnessEvent {
            kind: if reads_from.is_some() { EventKind::Read } else { EventKind::Write },
            order: Order::Relaxed,
            address: None,
            width: Width::B8,
            read: None,
            written: None,
            reads_from,
            shared: false,
            locked: false,
            other: None,
            site: SiteId::NONE,
        }
    }

    #[test]
    fn load_buffering_is_cyclic_if_both_read_from_each_other() {
        let thread =
            |from| WitnessThread { events: vec![event(Some(from)), event(None)], ..Default::default() };
        let both = |a, b| Witness { threads: vec![thread(a), thread(b)], ..Default::default() };
        assert!(!is_cyclic(&both(EventId::INIT, EventId::new(0, 1))));
        assert!(is_cyclic(&both(EventId::new(1, 1), EventId::new(0, 1))));
    }
}
