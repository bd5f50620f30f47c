//! The story of one execution: who did what in which order, each read with the write it saw, and what was
//! missing. At most one screen.

mod stuck;

pub(crate) use stuck::held_at;

use std::collections::BTreeSet;

use raveler_core::outcome::{Related, WitnessEvent};
use raveler_core::{EventId, EventKind, Model, SiteId, ThreadId, Violation, ViolationKind, XmmRules};

use crate::ordering::{self, Advice};
use crate::paint::{Colour, Tone, columns, listed};
use crate::printed::{self, Line};
use crate::reexecution;
use crate::scene::Scene;
use stuck::{deadlock, endless};

/// No story shows more events than this.
const SCREEN: usize = 32;
/// Sentences longer than this are broken in two.
const WIDTH: usize = 100;
/// Besides them no more than this many lines that were printed, the last ones.
const PRINTED: usize = 12;
/// Of a longer one at least this many of the last events.
const TAIL: usize = 16;

/// What is wrong, on one line, without the word "violation": `assertion failed  mp.c:19  assert(data == 42)`.
pub fn headline(scene: &Scene<'_>, violation: &Violation) -> String {
    let what = match violation.kind {
        ViolationKind::Race => match racing(scene, violation) {
            Some(pair) => format!("data race on {}", raced_for(scene, pair)),
            None => "data race".to_string(),
        },
        kind => kind_in_words(kind).to_string(),
    };
    let mut places = match racing(scene, violation).filter(|_| violation.kind == ViolationKind::Race) {
        Some((first, second)) => vec![scene.place_of(first), scene.place_of(second)],
        None => vec![scene.place(violation.site)],
    };
    places.retain(|place| !place.is_empty());
    places.dedup();
    let text = scene.sources.site(violation.site).map(|s| s.text.as_str()).unwrap_or_default();
    let said = match violation.kind {
        ViolationKind::Race => "",
        // What is said already is not said again.
        _ if violation.message.is_empty() || violation.message == what => text,
        _ => violation.message.as_str(),
    };
    let parts = [what, listed(&places), said.to_string()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("  ")
}

/// The story of a violation: its events and what was missing, without the headline.
pub fn violation(
    scene: &Scene<'_>,
    violation: &Violation,
    (model, rules): (Model, XmmRules),
    colour: Colour,
) -> String {
    let mut lines = events(scene, &important(scene, violation), colour);
    lines.extend(circle(scene, model, rules, colour));
    match violation.kind {
        ViolationKind::Race => {
            lines.extend(accesses(scene, violation));
            if violation.related.iter().any(|other| other.role == ALLOCATION) {
                lines.push(format!("   {NOT_THERE_YET}"));
            }
            if let Some((first, second)) = racing(scene, violation) {
                push_advice(&mut lines, ordering::of_race(scene, model, first, second), colour);
            }
            if are_volatile(scene, violation) {
                lines.push(help_line(VOLATILE, colour));
            }
        }
        ViolationKind::Deadlock => lines.extend(deadlock(scene, colour)),
        ViolationKind::Liveness => {
            lines.extend(related(scene, violation));
            lines.extend(endless(scene));
        }
        ViolationKind::UnlockNotHeld => {
            let thread = scene.thread(violation.thread.0 as usize);
            lines.push(format!(
                "   {thread} releases a lock that it does not hold, {}",
                scene.place(violation.site)
            ));
            lines.extend(related(scene, violation));
            lines.push(help_line(
                "a lock is released once for each time it was taken, by the thread that took it",
                colour,
            ));
        }
        _ => {
            lines.extend(related(scene, violation));
            stale_reads(&mut lines, scene, model, colour);
        }
    }
    joined(lines)
}

/// The story of an execution that is not wrong in itself, such as a litmus test's.
pub fn execution(scene: &Scene<'_>, (model, rules): (Model, XmmRules), colour: Colour) -> String {
    let mut lines = events(scene, &[], colour);
    lines.extend(write_orders(scene));
    lines.extend(circle(scene, model, rules, colour));
    stale_reads(&mut lines, scene, model, colour);
    joined(lines)
}

/// Why a read could miss a write. Where reads go round, that is what needs an explanation instead.
fn stale_reads(lines: &mut Vec<String>, scene: &Scene<'_>, model: Model, colour: Colour) {
    let advice = ordering::of_stale_reads(scene, model).filter(|_| scene.witness.reexecution.is_none());
    if let Some(advice) = advice {
        push_advice(lines, advice, colour);
    }
}

/// What is said of an execution that was made of another one.
fn circle(scene: &Scene<'_>, model: Model, rules: XmmRules, colour: Colour) -> Vec<String> {
    let told = reexecution::told(scene, model).into_iter().map(|line| format!("   {}", broken(&line, 3)));
    // The printed rules allow circles whatever the orders are.
    let help = reexecution::help(scene).filter(|_| rules != XmmRules::Printed);
    told.chain(help.map(|help| help_line(&broken(&help, 11), colour))).collect()
}

/// A sentence in lines that are not too long, if it can be broken at the line ends in it; it begins at this column.
fn broken(sentence: &str, column: usize) -> String {
    let mut out = String::new();
    let mut length = column;
    for part in sentence.split('\n') {
        let width = part.chars().count();
        if out.is_empty() {
            length += width;
        } else if length + 1 + width <= WIDTH {
            out.push(' ');
            length += 1 + width;
        } else {
            out.push_str("\n      ");
            length = 6 + width;
        }
        out.push_str(part);
    }
    out
}

/// Where writes take effect in another order than they are told, which no order of telling can always avoid.
fn write_orders(scene: &Scene<'_>) -> Vec<String> {
    let story = scene.story();
    let told = |id: &EventId| story.iter().position(|event| event == id);
    let mut lines = Vec::new();
    // Where stores reach memory is told.
    if !scene.witness.flushes.is_empty() {
        return lines;
    }
    for (address, writes) in &scene.witness.coherence {
        let writes: Vec<EventId> = writes.iter().copied().filter(|write| !write.is_init()).collect();
        if writes.windows(2).all(|pair| told(&pair[0]) < told(&pair[1])) {
            continue;
        }
        let places: Vec<String> = writes.iter().map(|&write| scene.place_of(write)).collect();
        lines.push(format!(
            "   {} is written in this order: {}",
            scene.location(*address),
            places.join(", then ")
        ));
    }
    lines
}

/// A kind of violation in the user's words.
pub fn kind_in_words(kind: ViolationKind) -> &'static str {
    use ViolationKind::*;
    match kind {
        Assertion => "assertion failed",
        Race => "data race",
        Deadlock => "deadlock",
        Liveness => "a wait that can never end",
        UseAfterFree => "use of memory after it was freed",
        DoubleFree => "memory freed twice",
        InvalidFree => "free of something that was not allocated",
        OutOfBounds => "access outside an object",
        UninitialisedRead => "read of uninitialised memory",
        NullDereference => "null pointer dereferenced",
        UnlockNotHeld => "unlock of a lock that the thread does not hold",
        LockMisuse => "misuse of a lock",
        StackOverflow => "stack overflow",
        DivisionByZero => "division by zero",
        Arithmetic => "arithmetic error",
        Panic => "panic",
        Other => "error",
    }
}

/// The lines of the events, in the order of the story; a long one is cut down to what matters most.
fn events(scene: &Scene<'_>, important: &[EventId], colour: Colour) -> Vec<String> {
    let mut story: Vec<EventId> = scene.story();
    story.retain(|id| important.contains(id) || !scene.is_noise(*id));
    let chosen = choose(scene, &story, important);
    let order = scene.story();
    let row = |&id: &EventId| {
        let mut row = vec![
            scene.thread(id.thread()),
            scene.what(id),
            scene.order(id).to_string(),
            scene.place_of(id),
            scene.saw(id),
        ];
        if scene.witness.reexecution.is_some() {
            row.insert(4, reexecution::mark(scene, id).to_string());
            if reexecution::told_later(scene, &order, id).is_some() {
                row[5].push_str(", written later");
            }
        }
        row
    };
    let flush = |id: EventId| {
        let what = format!("{} reaches memory", scene.what(id));
        vec![scene.thread(id.thread()), what, String::new(), scene.place_of(id), String::new()]
    };
    let print = |thread: usize, line: &Line| {
        vec![scene.thread(thread), line.what(), String::new(), scene.place(line.site), String::new()]
    };
    let told = told(scene, &story);
    let mut printed = told.iter().filter(|told| matches!(told, Told::Printed(..))).count();
    let is_chosen: Vec<bool> = told
        .iter()
        .map(|told| match told {
            Told::Event(id) | Told::Flush(id) => chosen.contains(id),
            Told::Printed(..) => {
                printed -= 1;
                printed < PRINTED
            }
        })
        .collect();
    let cells = |told: &Told| match told {
        Told::Event(id) => row(id),
        Told::Flush(id) => flush(*id),
        Told::Printed(thread, line) => print(*thread, line),
    };
    let shown = told.iter().zip(&is_chosen).filter(|(_, chosen)| **chosen);
    let rows: Vec<Vec<String>> = shown.map(|(told, _)| cells(told)).collect();
    let mut table = columns("   ", &rows).into_iter();
    let mut lines = Vec::new();
    let mut left_out = 0;
    for (told, is_chosen) in told.iter().zip(is_chosen) {
        if is_chosen {
            push_gap(&mut lines, &mut left_out, colour);
            lines.extend(table.next());
        } else if matches!(told, Told::Event(_)) {
            left_out += 1;
        }
    }
    push_gap(&mut lines, &mut left_out, colour);
    lines
}

/// A line of a story.
enum Told {
    Event(EventId),
    /// A store that leaves its buffer.
    Flush(EventId),
    /// What a thread prints.
    Printed(usize, Line),
}

/// The events of a story, and between them the stores that reach memory and what threads print.
fn told(scene: &Scene<'_>, story: &[EventId]) -> Vec<Told> {
    let mut printed: Vec<Vec<Line>> =
        (0..scene.witness.threads.len()).map(|thread| printed::lines(scene, thread)).collect();
    let mut prints = |thread: usize, after: Option<EventId>, told: &mut Vec<Told>| {
        let Some(lines) = printed.get_mut(thread) else { return };
        let count = lines.iter().take_while(|line| line.after == after).count();
        told.extend(lines.drain(..count).map(|line| Told::Printed(thread, line)));
    };
    let mut told = Vec::new();
    for (thread, _) in scene.witness.threads.iter().enumerate().filter(|(_, t)| t.spawned_by.is_none()) {
        prints(thread, None, &mut told);
    }
    let mut flushes = scene.witness.flushes.iter().peekable();
    for (at, event) in scene.story().into_iter().enumerate() {
        while let Some((flushed, _)) = flushes.next_if(|(_, after)| *after <= at) {
            told.push(Told::Flush(*flushed));
        }
        if story.contains(&event) {
            told.push(Told::Event(event));
        }
        prints(event.thread(), Some(event), &mut told);
        if let Some(started) = scene.witness.threads.iter().position(|t| t.spawned_by == Some(event)) {
            prints(started, None, &mut told);
        }
    }
    told.extend(flushes.map(|(flushed, _)| Told::Flush(*flushed)));
    told
}

fn push_gap(lines: &mut Vec<String>, left_out: &mut usize, colour: Colour) {
    if *left_out > 0 {
        let events = crate::paint::counted(*left_out as u64, "event");
        lines.push(
            colour.paint(Tone::Faint, &format!("   ... {events} left out; --json or --graph shows all")),
        );
    }
    *left_out = 0;
}

/// Which events to show: all if they fit; else the important ones, the last ones, and the writes they saw.
fn choose(scene: &Scene<'_>, story: &[EventId], important: &[EventId]) -> BTreeSet<EventId> {
    // Stores that reach memory take lines, too. What is printed takes some more.
    let flushes = scene.witness.flushes.iter().filter(|(id, _)| story.contains(id)).count();
    if story.len() + flushes <= SCREEN {
        return story.iter().copied().collect();
    }
    let mut chosen: BTreeSet<EventId> = important.iter().copied().collect();
    let committed = story.iter().filter(|&&id| scene.witness.committed(id).is_some());
    chosen.extend(committed.take(SCREEN - TAIL));
    chosen.extend(&story[story.len() - TAIL..]);
    for &id in story.iter().rev() {
        if chosen.len() >= SCREEN {
            break;
        }
        if chosen.contains(&id) {
            chosen.extend(scene.event(id).and_then(|e| e.reads_from).filter(|w| !w.is_init()));
        }
    }
    for &id in story.iter().rev() {
        if chosen.len() >= SCREEN {
            break;
        }
        chosen.insert(id);
    }
    chosen
}

/// The events that a violation names.
pub fn important(scene: &Scene<'_>, violation: &Violation) -> Vec<EventId> {
    let own = named(scene, violation.event).or_else(|| last_at(scene, violation.thread, violation.site));
    let others = violation
        .related
        .iter()
        .filter_map(|r| named(scene, r.event).or_else(|| last_at(scene, r.thread, r.site)));
    own.into_iter().chain(others).collect()
}

/// An event that a violation names, if the execution shows it.
fn named(scene: &Scene<'_>, event: Option<EventId>) -> Option<EventId> {
    event.filter(|&id| scene.event(id).is_some())
}

/// The last event of a thread at a place: a guess, for what is no event itself, such as a failed assertion.
fn last_at(scene: &Scene<'_>, thread: ThreadId, site: SiteId) -> Option<EventId> {
    let events = &scene.witness.threads.get(thread.0 as usize)?.events;
    let index = events.iter().rposition(|e| e.site == site)?;
    Some(EventId::new(thread.0, index as u32))
}

/// What the other part of a race does that is no access.
const ALLOCATION: &str = "allocation";
const NOT_THERE_YET: &str =
    "the allocation must happen before all that uses the memory: to have read the address is not enough";

/// What to do if both accesses of a race are volatile.
const VOLATILE: &str =
    "`volatile` makes no access atomic; --volatile relaxed takes it for that, as kernels mean it";

fn are_volatile(scene: &Scene<'_>, race: &Violation) -> bool {
    let is_volatile = |site: &SiteId| scene.sources.volatile.binary_search(site).is_ok();
    is_volatile(&race.site) && race.related.iter().all(|other| is_volatile(&other.site))
}

/// The two accesses of a race, in the order of the story.
fn racing(scene: &Scene<'_>, violation: &Violation) -> Option<(EventId, EventId)> {
    let other = violation.related.first()?;
    let told = named(scene, violation.event).zip(named(scene, other.event));
    let (one, two) = told.or_else(|| conflicting(scene, violation, other))?;
    let rank = |id: EventId| scene.story().iter().position(|&e| e == id);
    Some(if rank(one) <= rank(two) { (one, two) } else { (two, one) })
}

/// The last pair of accesses at the places of a race that conflicts, where the race does not name its events.
fn conflicting(scene: &Scene<'_>, violation: &Violation, other: &Related) -> Option<(EventId, EventId)> {
    let conflict = |a: &WitnessEvent, b: &WitnessEvent| {
        a.address.is_some() && a.address == b.address && (a.written.is_some() || b.written.is_some())
    };
    let at = |thread: ThreadId, site: SiteId| {
        scene.events().filter(move |(id, e)| id.thread() == thread.0 as usize && e.site == site)
    };
    let pairs = at(violation.thread, violation.site)
        .flat_map(|one| at(other.thread, other.site).map(move |two| (one, two)))
        .filter(|((_, a), (_, b))| conflict(a, b));
    pairs.map(|((a, _), (b, _))| (a, b)).last()
}

/// One line for each of the two accesses of a race.
fn accesses(scene: &Scene<'_>, violation: &Violation) -> Vec<String> {
    let Some((first, second)) = racing(scene, violation) else {
        return related(scene, violation);
    };
    let location = raced_for(scene, (first, second));
    let describe = |id: EventId| {
        let event = scene.event(id);
        let verb = match event.map(|e| e.kind) {
            Some(EventKind::Read) => "reads",
            Some(EventKind::Update) => "updates",
            Some(EventKind::Alloc) => "allocates",
            Some(EventKind::Free) => "frees",
            Some(EventKind::Write) | None => "writes",
            Some(_) => "uses",
        };
        let order = scene.order(id);
        let thread = scene.thread(id.thread());
        let place = scene.place_of(id);
        match event.map(|e| e.kind) {
            Some(EventKind::Read | EventKind::Write | EventKind::Update) | None => {
                format!("{thread} {verb} {location} ({order}, {place})")
            }
            _ => format!("{thread} {verb} {location} ({place})"),
        }
    };
    vec![format!("   {} while {}", describe(first), describe(second))]
}

/// One line for each related place.
fn related(scene: &Scene<'_>, violation: &Violation) -> Vec<String> {
    let line = |r: &Related| {
        let text = scene.sources.site(r.site).map(|s| s.text.as_str()).unwrap_or_default();
        let thread = scene.thread(r.thread.0 as usize);
        format!("   {}: {thread}, {}  {text}", r.role, scene.place(r.site)).trim_end().to_string()
    };
    violation.related.iter().map(line).collect()
}

/// What two events race for. An allocation has no address: it is all of the memory.
fn raced_for(scene: &Scene<'_>, (first, second): (EventId, EventId)) -> String {
    let address = |id| scene.event(id).and_then(|event| event.address);
    address(first).or_else(|| address(second)).map(|at| scene.location(at)).unwrap_or_default()
}

fn push_advice(lines: &mut Vec<String>, advice: Advice, colour: Colour) {
    let separator = match &advice.why {
        Some(why) if advice.missing.len() + why.len() > WIDTH => ":\n      ",
        Some(_) => ": ",
        None => "",
    };
    lines.push(format!("   {}{separator}{}", advice.missing, advice.why.unwrap_or_default()));
    lines.extend(advice.help.map(|help| help_line(&help, colour)));
}

/// A line that says what to do.
pub fn help_line(text: &str, colour: Colour) -> String {
    format!("   = {} {text}", colour.paint(Tone::Help, "help:"))
}

fn joined(lines: Vec<String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}
