//! One execution together with what is needed to name its parts: the words that all forms of a report share.

use raveler_core::outcome::{ThreadEnd, WitnessEvent, WitnessThread};
use raveler_core::{
    Address, EventId, EventKind, Order, Shape, SiteId, SourceMap, Value, Width, Witness, WordOf,
};

use crate::names::Names;

/// One execution with the names of its threads, places and locations.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The execution.
    pub witness: &'a Witness,
    /// The places.
    pub sources: &'a SourceMap,
    /// The locations.
    pub names: &'a Names,
}

impl<'a> Scene<'a> {
    /// The event with this name; none for the initial write.
    pub fn event(&self, id: EventId) -> Option<&'a WitnessEvent> {
        if id.is_init() {
            return None;
        }
        self.witness.threads.get(id.thread())?.events.get(id.index() as usize)
    }

    /// All events, thread by thread.
    pub fn events(&self) -> impl Iterator<Item = (EventId, &'a WitnessEvent)> + use<'a> {
        self.witness.threads.iter().enumerate().flat_map(|(t, thread)| {
            (0..).zip(&thread.events).map(move |(i, e)| (EventId::new(t as u32, i), e))
        })
    }

    /// The events in an order in which they could have happened.
    pub fn story(&self) -> Vec<EventId> {
        if self.witness.story.is_empty() {
            self.events().map(|(id, _)| id).collect()
        } else {
            self.witness.story.iter().copied().filter(|id| !id.is_init()).collect()
        }
    }

    /// The thread's own name, if it has one: a thread that was spawned is called after the function it runs.
    pub fn thread_name(&self, thread: usize) -> Option<String> {
        if let Some(name) = self.sources.threads.get(thread) {
            return Some(name.clone());
        }
        let WitnessThread { events, code, .. } = self.witness.threads.get(thread)?;
        let told = code.and_then(|code| self.sources.spawned.get(code as usize));
        if let Some(name) = told.filter(|name| !name.is_empty()) {
            return Some(name.clone());
        }
        // What the C++ library calls on the way to the function that a thread was given.
        let internal = ["__", "_M_", "~_", "std::"];
        let is_own = |function: &str| !internal.iter().any(|start| function.starts_with(start));
        let mut functions = events.iter().filter_map(|event| Some(&self.sources.site(event.site)?.function));
        functions.find(|function| !function.is_empty() && is_own(function)).cloned()
    }

    /// The thread in full: `P0` for a litmus thread, else `thread 0 (main)`.
    pub fn thread(&self, thread: usize) -> String {
        match self.thread_name(thread) {
            Some(name) if name == format!("P{thread}") => name,
            Some(name) => format!("thread {thread} ({name})"),
            None => format!("thread {thread}"),
        }
    }

    /// The thread in short: `P0`, else `thread 0`.
    pub fn thread_short(&self, thread: usize) -> String {
        match self.thread_name(thread) {
            Some(name) if name == format!("P{thread}") => name,
            _ => format!("thread {thread}"),
        }
    }

    /// File and line, the file without its folders; empty if the place is unknown.
    pub fn place(&self, site: SiteId) -> String {
        let Some(site) = self.sources.site(site) else {
            return String::new();
        };
        let file = site.file.as_deref().unwrap_or(&self.sources.file);
        format!("{}:{}", base_name(file), site.line)
    }

    /// The place of an event.
    pub fn place_of(&self, id: EventId) -> String {
        self.event(id).map(|e| self.place(e.site)).unwrap_or_default()
    }

    /// An event in words: `x = 1`, `x is 0`, `takes m`.
    pub fn what(&self, id: EventId) -> String {
        let Some(event) = self.event(id) else {
            return "the initial value".to_string();
        };
        let at = event.address.map(|a| self.location(a)).unwrap_or_default();
        let read = event.read.map(|v| self.value(v, event.width)).unwrap_or_default();
        let written = event.written.map(|v| self.value(v, event.width)).unwrap_or_default();
        if let Some(what) = crate::words::what(self, id) {
            return what;
        }
        match event.kind {
            EventKind::Read => format!("{at} is {read}"),
            EventKind::Write => format!("{at} = {written}"),
            EventKind::Update => format!("{at} is {read}, now {written}"),
            EventKind::Count => format!("counts {written} into {at}"),
            EventKind::Fence => "fence".to_string(),
            EventKind::Spawn => match self.witness.threads.iter().position(|t| t.spawned_by == Some(id)) {
                Some(child) => format!("starts {}", self.thread(child)),
                None => "starts a thread".to_string(),
            },
            EventKind::Arrive => format!("comes to {at}"),
            EventKind::Pass => "goes on from the barrier".to_string(),
            EventKind::Join => match event.other {
                Some(child) => format!("joins {}", self.thread_short(child.0 as usize)),
                None => "joins a thread".to_string(),
            },
            EventKind::Alloc => match event.read {
                Some(start) => format!("allocates {}", self.object(Address(start))),
                None => "allocates memory".to_string(),
            },
            EventKind::Free => {
                format!("frees {}", event.address.map(|a| self.object(a)).unwrap_or_default())
            }
            EventKind::Initialise => format!("initialises {at}"),
            EventKind::Destroy => format!("destroys {at}"),
            EventKind::Choose => format!("chooses {read}"),
            EventKind::Observe => format!("observes {}", if written.is_empty() { read } else { written }),
            EventKind::Lock => format!("takes {at}{}", for_reading(event)),
            EventKind::Unlock => format!("releases {at}"),
            EventKind::LockFailed if self.is_last(id, ThreadEnd::Lock) => {
                format!("waits for {at}{}", for_reading(event))
            }
            EventKind::LockFailed => format!("finds {at} taken"),
        }
    }

    /// The memory order of an event, where it has one worth saying.
    pub fn order(&self, id: EventId) -> &'static str {
        match self.event(id).filter(|e| e.address.and_then(Address::of_word).is_none()) {
            Some(e) => match e.kind {
                EventKind::Read
                | EventKind::Write
                | EventKind::Update
                | EventKind::Count
                | EventKind::Fence => e.order.name(),
                _ => "",
            },
            None => "",
        }
    }

    /// Which write a read saw, in words; empty for what reads nothing.
    pub fn saw(&self, id: EventId) -> String {
        let Some(event) = self.event(id) else {
            return String::new();
        };
        let word = crate::words::what(self, id).is_some();
        if word
            || matches!(
                event.kind,
                EventKind::Lock | EventKind::Join | EventKind::Arrive | EventKind::Pass | EventKind::Unlock
            )
        {
            return String::new();
        }
        match event.reads_from {
            None => String::new(),
            Some(source) if source.is_init() => "saw the initial value".to_string(),
            Some(source) if event.kind == EventKind::LockFailed => {
                format!("taken by {}, {}", self.thread_short(source.thread()), self.place_of(source))
            }
            Some(source) if source.thread() == id.thread() => {
                format!("saw its own {}", self.place_of(source))
            }
            Some(source) => format!("saw {}, {}", self.thread_short(source.thread()), self.place_of(source)),
        }
    }

    /// A value as people read it; a pointer by the name of what it points to.
    pub fn value(&self, value: Value, width: Width) -> String {
        let dynamic = width == Width::B8 && value >> 63 != 0 && (value as i64) < -1 << 40;
        let name = if dynamic { self.object(Address(value)) } else { String::new() };
        if name.is_empty() || name.starts_with("0x") {
            self.names.value(value, width)
        } else {
            format!("&{name}")
        }
    }

    /// The same where a whole object is meant: a pointer to its beginning is one to its first member, but people think
    /// of the object.
    fn object(&self, address: Address) -> String {
        match self.nearest(address) {
            Some((number, allocation, start)) if start == address.0 => {
                let named = self.allocated(allocation, start, None);
                named.unwrap_or_else(|| format!("heap{number}"))
            }
            _ => self.location(address),
        }
    }

    /// The allocation that an address may lie in: the last that begins before it, with its number and beginning.
    fn nearest(&self, address: Address) -> Option<(usize, EventId, u64)> {
        let mut allocations: Vec<(EventId, u64)> = self
            .events()
            .filter(|(_, e)| e.kind == EventKind::Alloc)
            .filter_map(|(id, e)| Some((id, e.read?)))
            .collect();
        allocations.sort_by_key(|&(id, _)| id);
        let numbered = (1..).zip(allocations).map(|(number, (id, start))| (number, id, start));
        numbered.filter(|&(_, _, start)| start <= address.0).max_by_key(|&(_, _, start)| start)
    }

    /// The name of a location: an object of the program, or a piece of memory that the execution allocated.
    pub fn location(&self, address: Address) -> String {
        if let Some(WordOf::Memory(memory)) = address.of_word() {
            let name = self.location(memory);
            return name.strip_suffix("[0]").map_or(name.clone(), str::to_string);
        }
        if let Some(WordOf::Thread { thread, purpose }) = address.of_word() {
            return crate::words::name(self, thread, purpose);
        }
        let named = self.names.location(address);
        if !named.starts_with("0x") {
            return named;
        }
        let Some((number, allocation, start)) = self.nearest(address) else { return named };
        let offset = address.0 - start;
        let variable = self.allocated(allocation, start, Some(offset));
        variable.unwrap_or_else(|| format!("heap{number}{}", self.shape(start).path(offset)))
    }

    /// Is this event of no interest: it makes room for a local variable, or is what a library does with its own memory?
    pub fn is_noise(&self, id: EventId) -> bool {
        let library = self.event(id).is_some_and(|event| {
            let kind = event.kind;
            let access = matches!(kind, EventKind::Read | EventKind::Write) && event.order == Order::Plain;
            let unknown = self.sources.site(event.site).is_none();
            let foreign = self
                .sources
                .site(event.site)
                .is_some_and(|site| site.file.as_deref().is_some_and(|file| file.starts_with("/usr/")));
            access && unknown
                || (event.site.is_inside() || foreign)
                    && (access || matches!(kind, EventKind::Alloc | EventKind::Free))
        });
        library || self.makes_variable(id) || crate::words::picks(self, id)
    }

    fn makes_variable(&self, id: EventId) -> bool {
        let allocation = self.event(id).filter(|event| event.kind == EventKind::Alloc);
        let start = allocation.and_then(|event| event.read);
        start.is_some_and(|start| self.allocated(id, start, None).is_some())
    }

    /// The name of memory that an allocation of the program made, if it has one: a local variable; with the thread if
    /// there is more than one like it.
    fn allocated(&self, allocation: EventId, start: u64, offset: Option<u64>) -> Option<String> {
        let all = &self.witness.allocated;
        let &(_, what) = all.iter().find(|(at, _)| at.0 == start)?;
        let (name, shape) = self.sources.allocated.get(what as usize)?;
        if name.is_empty() {
            return None;
        }
        let path = offset.map_or(String::new(), |offset| shape.path(offset));
        Some(match all.iter().filter(|(_, other)| *other == what).count() {
            1 => format!("{name}{path}"),
            _ => format!("{name}{path} ({})", self.thread_short(allocation.thread())),
        })
    }

    /// How the parts of memory that begins here are called.
    fn shape(&self, start: u64) -> &Shape {
        let what = self.witness.allocated.iter().find(|(at, _)| at.0 == start);
        let named = what.and_then(|&(_, what)| self.sources.allocated.get(what as usize));
        named.map_or(&Shape::Whole, |(_, shape)| shape)
    }

    fn is_last(&self, id: EventId, end: ThreadEnd) -> bool {
        let thread = &self.witness.threads[id.thread()];
        thread.end == end && id.index() as usize + 1 == thread.events.len()
    }
}

/// A path without its folders.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// How a lock is taken, where that is not alone.
pub fn for_reading(event: &WitnessEvent) -> &'static str {
    if event.shared { " for reading" } else { "" }
}
