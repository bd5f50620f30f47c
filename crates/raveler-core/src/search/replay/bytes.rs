//! Recordings as bytes, as few as possible: they are part of a text that people copy.

use super::coder::{Decoder, Encoder};
use super::{BadReplay, Recording, ShownAs};
use crate::id::EventId;
use crate::outcome::{Flushed, Trace, TraceEvent, TraceSource};

/// Contexts of the coder: what a number means.
mod context {
    pub const COUNT: u32 = 0;
    pub const BYTE: u32 = 1;
    pub const NAME: u32 = 2;
    pub const MARK: u32 = 3;
    pub const PLACE: u32 = 4;
    pub const CHOSEN: u32 = 5;
    pub const OVERTAKEN: u32 = 6;
    pub const FLUSH_GAP: u32 = 7;
    pub const FLUSHED: u32 = 8;
    pub const SECTION: u32 = 9;
    pub const SWITCH: u32 = 16;
    pub const THREAD: u32 = 32;
    pub const KIND: u32 = 1 << 16;
    pub const DISTANCE: u32 = 1 << 18;
}

/// No recording has more of anything: what says so is damaged.
const MOST: u64 = 1 << 20;

impl Recording {
    /// As bytes. They say nothing of the program that they belong to.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::new();
        match self.shown_as {
            ShownAs::Execution => out.number(context::COUNT, 0),
            ShownAs::Violation { event, mark } => {
                out.number(context::COUNT, 1 + u64::from(event.is_some()));
                out.number(context::MARK, u64::from(mark));
                if let Some(event) = event {
                    out.number(context::PLACE, event.thread() as u64);
                    out.number(context::PLACE, u64::from(event.index()));
                }
            }
        }
        out.number(context::COUNT, self.knowledge.len() as u64);
        for &byte in &self.knowledge {
            out.number(context::BYTE, u64::from(byte));
        }
        self.trace.write(&mut out);
        out.finish()
    }

    /// From bytes that [`Recording::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<Recording, BadReplay> {
        read(&mut Decoder::new(bytes)).ok_or(BadReplay::Damaged)
    }
}

fn read(from: &mut Decoder<'_>) -> Option<Recording> {
    let shown_as = match from.number(context::COUNT)? {
        0 => ShownAs::Execution,
        has_event @ (1 | 2) => {
            let mark = u16::try_from(from.number(context::MARK)?).ok()?;
            let event = match has_event {
                1 => None,
                _ => Some(event_id(from.number(context::PLACE)?, from.number(context::PLACE)?)?),
            };
            ShownAs::Violation { event, mark }
        }
        _ => return None,
    };
    let byte = |from: &mut Decoder<'_>| u8::try_from(from.number(context::BYTE)?).ok();
    let knowledge = list(from, byte)?;
    let trace = Trace::read(from)?;
    Some(Recording { trace, shown_as, knowledge })
}

fn event_id(thread: u64, index: u64) -> Option<EventId> {
    let (thread, index) = (u32::try_from(thread).ok()?, u32::try_from(index).ok()?);
    (thread < EventId::MAX_THREADS && u64::from(index) < MOST).then(|| EventId::new(thread, index))
}

fn small(from: &mut Decoder<'_>, context: u32) -> Option<u32> {
    from.number(context).filter(|&number| number <= MOST).map(|number| number as u32)
}

fn list<T>(from: &mut Decoder<'_>, item: impl Fn(&mut Decoder<'_>) -> Option<T>) -> Option<Vec<T>> {
    let count = small(from, context::COUNT)?;
    (0..count).map(|_| item(from)).collect()
}

/// What is known of the events before the next one: the contexts of its numbers.
#[derive(Default)]
struct Before {
    thread: u32,
    /// Did the event before it belong to the same thread as the one before that?
    stayed: bool,
    /// The last kinds of event of each thread.
    kinds: Vec<[u32; 2]>,
}

impl Before {
    fn kinds(&mut self, thread: u32) -> &mut [u32; 2] {
        let thread = thread as usize;
        if self.kinds.len() <= thread {
            self.kinds.resize(thread + 1, [63; 2]);
        }
        &mut self.kinds[thread]
    }

    fn context(&mut self, thread: u32) -> u32 {
        let [last, earlier] = *self.kinds(thread);
        context::KIND + last * 64 + earlier
    }

    fn note(&mut self, thread: u32, kind: u32) {
        self.stayed = thread == self.thread;
        self.thread = thread;
        let kinds = self.kinds(thread);
        *kinds = [kind, kinds[0]];
    }
}

/// What an event is, apart from numbers: what it reads, and flags.
mod kind {
    pub const INITIAL: u32 = 1;
    pub const EARLIER: u32 = 2;
    /// Under XMM, and where a later write revisited a read.
    pub const LATER: u32 = 3;
    pub const SOURCE: u32 = 3;
    pub const UPDATE: u32 = 4;
    pub const FAILED: u32 = 8;
    pub const SPURIOUS: u32 = 16;
    /// A number follows: of a read none has one, so that it says of an event without a source what was chosen, of a
    /// write how many it has overtaken.
    pub const NUMBER: u32 = 32;
}

impl Trace {
    fn write(&self, out: &mut Encoder) {
        out.number(context::COUNT, self.threads.len() as u64);
        for (number, &name) in self.threads.iter().enumerate() {
            // Most threads are called by their numbers.
            let difference = u64::from(name).abs_diff(number as u64);
            out.number(context::NAME, difference << 1 | u64::from((name as usize) < number));
        }
        out.number(context::COUNT, self.events.len() as u64);
        let mut before = Before::default();
        for (at, event) in self.events.iter().enumerate() {
            let switches = event.thread != before.thread;
            out.number(context::SWITCH + u32::from(before.stayed), u64::from(switches));
            if switches {
                out.number(context::THREAD + before.thread.min(31), u64::from(event.thread));
            }
            let (source, distance) = match event.source {
                TraceSource::Nothing => (0, 0),
                TraceSource::Initial => (kind::INITIAL, 0),
                TraceSource::Event(source) if (source as usize) < at => (kind::EARLIER, at as u32 - source),
                TraceSource::Event(source) => (kind::LATER, source - at as u32),
            };
            let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
            let kind = source
                | flag(event.update, kind::UPDATE)
                | flag(event.failed, kind::FAILED)
                | flag(event.spurious, kind::SPURIOUS)
                | flag(event.chosen != 0 || event.overtaken != 0, kind::NUMBER);
            out.number(before.context(event.thread), u64::from(kind));
            if source >= kind::EARLIER {
                out.number(context::DISTANCE + source * 32 + event.thread.min(31), u64::from(distance));
            }
            if kind & kind::NUMBER != 0 {
                out.number(context::OVERTAKEN, u64::from(event.overtaken));
                out.number(context::CHOSEN, event.chosen);
            }
            before.note(event.thread, kind);
        }
        out.number(context::COUNT, self.flushes.len() as u64);
        let mut last = Flushed { event: 0, after: 0 };
        for flush in &self.flushes {
            out.number(context::FLUSH_GAP, u64::from(flush.after.wrapping_sub(last.after)));
            out.number(context::FLUSHED, u64::from(flush.after.wrapping_sub(flush.event)));
            last = *flush;
        }
        out.number(context::COUNT, self.waiting.len() as u64);
        for &thread in &self.waiting {
            out.number(context::PLACE, u64::from(thread));
        }
        out.number(context::COUNT, self.sections.len() as u64);
        for &(from, to) in &self.sections {
            out.number(context::SECTION, u64::from(from));
            out.number(context::SECTION, u64::from(to));
        }
    }

    fn read(from: &mut Decoder<'_>) -> Option<Trace> {
        let count = small(from, context::COUNT)?;
        let name = |number: u32, from: &mut Decoder<'_>| {
            let code = from.number(context::NAME)?;
            let (difference, is_less) = (code >> 1, code & 1 != 0);
            let difference = u32::try_from(difference).ok()?;
            if is_less { number.checked_sub(difference) } else { number.checked_add(difference) }
        };
        let threads: Vec<u32> = (0..count).map(|number| name(number, from)).collect::<Option<_>>()?;
        let mut before = Before::default();
        let count = small(from, context::COUNT)?;
        let mut events = Vec::new();
        for at in 0..count {
            let event = TraceEvent::read(from, at, &mut before)?;
            if event.thread as usize >= threads.len() {
                return None;
            }
            events.push(event);
        }
        let mut after = 0_u32;
        let flush = |from: &mut Decoder<'_>, after: &mut u32| {
            *after = after.checked_add(small(from, context::FLUSH_GAP)?)?;
            Some(Flushed { event: after.checked_sub(small(from, context::FLUSHED)?)?, after: *after })
        };
        let count = small(from, context::COUNT)?;
        let flushes: Vec<Flushed> = (0..count).map(|_| flush(from, &mut after)).collect::<Option<_>>()?;
        let waiting = list(from, |from| small(from, context::PLACE))?;
        let sections =
            list(from, |from| Some((small(from, context::SECTION)?, small(from, context::SECTION)?)))?;
        Some(Trace { threads, events, flushes, waiting, sections })
    }
}

impl TraceEvent {
    fn read(from: &mut Decoder<'_>, at: u32, before: &mut Before) -> Option<TraceEvent> {
        let switches = from.number(context::SWITCH + u32::from(before.stayed))? != 0;
        let thread = match switches {
            true => small(from, context::THREAD + before.thread.min(31))?,
            false => before.thread,
        };
        // A context is made for each thread.
        if thread >= EventId::MAX_THREADS {
            return None;
        }
        let kind = small(from, before.context(thread))?;
        if kind >= 64 {
            return None;
        }
        let source = kind & kind::SOURCE;
        let source = match source {
            0 => TraceSource::Nothing,
            kind::INITIAL => TraceSource::Initial,
            _ => {
                let distance = small(from, context::DISTANCE + source * 32 + thread.min(31))?;
                let place =
                    if source == kind::EARLIER { at.checked_sub(distance) } else { at.checked_add(distance) };
                TraceSource::Event(place?)
            }
        };
        let (overtaken, chosen) = match kind & kind::NUMBER != 0 {
            true => (small(from, context::OVERTAKEN)?, from.number(context::CHOSEN)?),
            false => (0, 0),
        };
        before.note(thread, kind);
        let is_set = |flag: u32| kind & flag != 0;
        let (update, failed) = (is_set(kind::UPDATE), is_set(kind::FAILED));
        Some(TraceEvent {
            thread,
            source,
            overtaken,
            chosen,
            update,
            failed,
            spurious: is_set(kind::SPURIOUS),
        })
    }
}
