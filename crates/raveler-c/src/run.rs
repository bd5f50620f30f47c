//! Running the bytecode: a thread goes on until it does something that others can see.
//!
//! This file is long because it holds all that the threads of a program share.

mod addresses;
mod alike;
mod arith;
mod barriers;
mod big;
mod calls;
mod collect;
mod conditions;
mod cursor;
mod decimal;
mod disturbances;
mod divide;
mod endings;
mod exceptions;
mod extended;
mod format;
mod lives;
mod locks;
mod long;
mod memory;
mod native;
mod objects;
mod outer;
mod own;
mod parts;
mod pointers;
mod random;
mod repeats;
mod rounds;
mod scopes;
mod sections;
mod sizes;
mod spawns;
mod stack;
mod step;
mod streams;
mod transfer;
mod unknown;
mod unseen;
mod waits;
mod wide;

pub use self::collect::Collector;
pub use self::cursor::Cursor;
pub(crate) use self::exceptions::TERMINATED;
pub(crate) use self::native::STREAMS;
pub use self::pointers::PointerNames;
pub use self::spawns::NotStarted;
pub use self::stack::DEFAULT_STACK;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde::{Deserialize, Serialize};

use raveler_core::mutation::Mutant;
use raveler_core::{
    Action, Address, Answer, Disturbance, Entry, Hints, Locks, Model, Object, Order, Overlap, Program,
    Reductions, Settings, SiteId, SourceMap, Stream, Text, Value, Width,
};

use self::disturbances::{Disturbances, Disturbed};
use self::unseen::Unseen;
use crate::address::{self, Target};
use crate::code::{Code, Function, Global, Head, Inst, Operand, Reg};
use crate::lower::{is_library, is_ours};

/// A C program that the engine can run.
pub struct CProgram {
    code: Arc<Code>,
    objects: Vec<Object>,
    /// Global variables and places whose objects more than one thread uses: their accesses are events.
    shared_globals: Vec<AtomicBool>,
    shared_places: Vec<AtomicBool>,
    /// What was found to be shared, but is not treated so yet.
    learned: Mutex<BTreeSet<Fact>>,
    /// What is treated so.
    facts: Mutex<BTreeSet<Fact>>,
    waiters: RwLock<Waiters>,
    /// Threads with objects that others than the first thread started; their places in the order of names are their numbers.
    nested: RwLock<BTreeSet<u64>>,
    /// How many bits the number of a place takes.
    place_bits: u32,
    sections: sections::Sections,
    /// Global variables that some instruction accesses plainly, as far as can be seen.
    plain_globals: Vec<bool>,
    /// Futile rounds in which something may be wrong are let pass once.
    spares: AtomicBool,
    /// In which something may be wrong, as far as is known.
    disturbances: Disturbances,
    /// Stores of rounds that no other thread sees.
    unseen: Unseen,
    /// Who waits for a condition variable may wake up for no reason.
    wakes_spuriously: AtomicBool,
    /// The model, as a number.
    model: AtomicU8,
    spurious_cas: AtomicBool,
    /// In which order threads come to barriers is no part of executions, unless more come than a barrier waits for.
    gathers: AtomicBool,
    is_crowded: AtomicBool,
    /// So it is with latches, if each thread comes once, and waits.
    is_counted: AtomicBool,
    /// Some thread came to such a barrier.
    gathered: AtomicBool,
    /// There were threads that nothing tells apart.
    had_twins: AtomicBool,
    /// The order of updates whose results play no role may be no part of executions.
    counts: AtomicBool,
    /// Some such order was left out.
    counted: AtomicBool,
    /// Places in the source that belong to a library.
    foreign: Vec<bool>,
    loops: Loops,
    /// How shared memory is divided.
    divided: divide::Divided,
    /// How many bytes of stack a thread has, if the user says so.
    stack: Option<u64>,
    /// Some thread needed more.
    out_of_stack: AtomicBool,
    /// Where a thread was not started any more.
    not_started: Mutex<Option<NotStarted>>,
    /// Some thread wrote something to shared memory of which nobody set all bits.
    writes_unset: AtomicBool,
    /// How many steps a thread may run without an action.
    patience: AtomicU64,
    /// Something in it prints.
    prints: bool,
    /// What the first thread prints is to be kept.
    records: AtomicBool,
    /// How the first thread ended first.
    ended: Mutex<Option<Ended>>,
    /// Set when the search is over, whatever its threads are at.
    over: Arc<AtomicBool>,
    /// Where the thread that ran last stands.
    place: AtomicU32,
}

/// How the first thread of a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// What it printed.
    pub output: Vec<u8>,
    /// What `main` returned.
    pub result: u64,
}

/// What is known of the loops, numbered through all functions.
struct Loops {
    /// The number of each function's first loop.
    first: Vec<u32>,
    /// The user's bound on all loops of the program.
    unroll: Option<u32>,
    /// Loops that have no end in sight.
    endless: Vec<AtomicBool>,
    /// Loops in which a thread waited.
    waited: Vec<AtomicBool>,
    /// Loops that were cut, the variables that kept changing, and where they write shared memory.
    cut: Mutex<BTreeMap<u32, Cut>>,
    /// The loop in which a thread has been for long, if any, and where that writes shared memory.
    long: AtomicU64,
    long_writes: AtomicU64,
}

#[derive(Default)]
struct Cut {
    changed: BTreeSet<Reg>,
    writes: Option<(SiteId, Address)>,
    spawns: bool,
}

impl Loops {
    fn of(code: &Code, unroll: Option<u32>) -> Loops {
        let mut count = 0;
        let first = code.functions.iter().map(|function| {
            let first = count;
            count += function.heads.len() as u32;
            first
        });
        let first = first.collect();
        let flags = || (0..count).map(|_| AtomicBool::new(false)).collect();
        let (cut, long, long_writes) = Default::default();
        Loops { first, unroll, endless: flags(), waited: flags(), cut, long, long_writes }
    }
}

/// A loop that was not followed to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutLoop {
    /// Where it stands.
    pub site: SiteId,
    /// How many rounds were followed.
    pub rounds: u32,
    /// The user asked for the bound.
    pub wanted: bool,
    /// A variable that changes in every round, which keeps the loop from being one that only waits.
    pub changing: Option<String>,
    /// Where it writes shared memory, which does so too.
    pub writes: Option<(SiteId, Address)>,
    /// It starts threads.
    pub spawns: bool,
}

/// Where a search was when it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In this loop, which writes shared memory there.
    Loop {
        /// Where it stands.
        site: SiteId,
        /// Where it writes, if it does.
        writes: Option<(SiteId, Address)>,
    },
    /// At this place.
    At(SiteId),
}

/// Something that is used by more than one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum Fact {
    Global(u32),
    Place(u16),
    /// A loop that has no end in sight, by its number.
    Endless(u32),
    /// Memory that is used both in atomic sections and outside.
    InSections(u64),
    /// A thread waits for condition variables.
    Waiter(u64),
    /// A thread that another than the first started has objects.
    Nested(u64),
    /// So many threads wait for this condition variable at the same time.
    Together(u64, u32),
    /// An atomic object that is also accessed in parts.
    Whole(u64, Width),
    /// What disturbs reads in futile rounds.
    Disturbed(Disturbed),
    /// Another thread sees stores of rounds to this place.
    Seen(Address),
    /// Failed tries store to this place.
    Overwritten(Address),
    /// More threads come to a barrier than it waits for, or one comes and does not wait.
    Crowded,
    /// A thread comes to a latch otherwise than to wait for all others.
    Counted,
}

/// Who waits for condition variables, as far as is known.
#[derive(Default)]
struct Waiters {
    /// The threads; their bits are their places in the order of names, so that they do not depend on the search.
    threads: BTreeSet<u64>,
    /// How many wait for a condition variable at the same time.
    together: BTreeMap<u64, u32>,
}

impl CProgram {
    /// A program to run.
    pub fn new(code: Code) -> CProgram {
        CProgram::of(Arc::new(code), None, None)
    }

    /// The same program with at most so many rounds of each of its loops.
    pub fn unrolled(self, rounds: Option<u32>) -> CProgram {
        CProgram::of(self.code, rounds, self.stack)
    }

    /// The same program with so many bytes of stack for each thread.
    pub fn with_stack(self, bytes: Option<u64>) -> CProgram {
        CProgram::of(self.code, self.loops.unroll, bytes)
    }

    /// The same program, knowing nothing yet: what one search learns must not disturb another.
    pub fn fresh(&self) -> CProgram {
        CProgram::of(Arc::clone(&self.code), self.loops.unroll, self.stack)
    }

    fn of(code: Arc<Code>, unroll: Option<u32>, stack: Option<u64>) -> CProgram {
        let objects = code.globals.iter().map(object).collect();
        CProgram {
            objects,
            shared_globals: code.globals.iter().map(|g| AtomicBool::new(g.shared)).collect(),
            shared_places: code.places.iter().map(|_| AtomicBool::new(false)).collect(),
            learned: Mutex::default(),
            facts: Mutex::default(),
            waiters: RwLock::default(),
            nested: RwLock::default(),
            // One more than there are: lists of arguments.
            place_bits: (usize::BITS - code.places.len().leading_zeros())
                .min(address::MAX_PLACES.trailing_zeros()),
            sections: sections::Sections::default(),
            plain_globals: plain_globals(&code),
            spares: AtomicBool::new(false),
            disturbances: Disturbances::default(),
            unseen: Unseen::default(),
            wakes_spuriously: AtomicBool::new(false),
            model: AtomicU8::new(Model::Rc20 as u8),
            spurious_cas: AtomicBool::new(false),
            gathers: AtomicBool::new(false),
            is_crowded: AtomicBool::new(false),
            is_counted: AtomicBool::new(false),
            gathered: AtomicBool::new(false),
            had_twins: AtomicBool::new(false),
            counts: AtomicBool::new(false),
            counted: AtomicBool::new(false),
            divided: divide::Divided::default(),
            stack,
            out_of_stack: AtomicBool::new(false),
            not_started: Mutex::default(),
            writes_unset: AtomicBool::new(false),
            patience: AtomicU64::new(step::MAX_SILENT),
            prints: code.functions.iter().any(|f| f.code.iter().any(|i| matches!(i, Inst::Native { .. }))),
            records: AtomicBool::new(false),
            ended: Mutex::default(),
            over: Arc::default(),
            place: AtomicU32::new(SiteId::NONE.0),
            foreign: code
                .sources
                .sites
                .iter()
                .map(|site| site.file.as_deref().is_some_and(is_library))
                .collect(),
            loops: Loops::of(&code, unroll),
            code,
        }
    }

    /// Prepare for a search with these settings.
    pub fn prepare(&self, settings: &Settings) {
        // Where happens-before contains reads-from, no round hides anything.
        let weak = settings.model.definition().races;
        let frees = self.code.functions.iter().any(|f| f.code.iter().any(|i| matches!(i, Inst::Free { .. })));
        self.spares.store(weak && (settings.races || frees), Ordering::Relaxed);
        self.disturbances.reset();
        // Under PSO a store may come out of its buffer later than what its thread did afterwards.
        let stays = settings.model == Model::Pso || settings.locks == Locks::Aware && takes_locks(&self.code);
        self.unseen.reset(settings.reductions_in_force().rounds && !stays);
        lock(&self.facts)
            .retain(|fact| !matches!(fact, Fact::Disturbed(_) | Fact::Seen(_) | Fact::Overwritten(_)));
        self.wakes_spuriously.store(settings.spurious_wakeups, Ordering::Relaxed);
        // Load-buffering races are found by the search for executions of XMM.
        let model = if settings.lb_races { Model::Xmm } else { settings.model };
        self.model.store(model as u8, Ordering::Relaxed);
        self.spurious_cas.store(settings.spurious_cas, Ordering::Relaxed);
        self.gathers.store(settings.reductions_in_force().barriers, Ordering::Relaxed);
        self.gathered.store(false, Ordering::Relaxed);
        self.had_twins.store(false, Ordering::Relaxed);
        self.counts.store(settings.reductions_in_force().counters, Ordering::Relaxed);
        self.counted.store(false, Ordering::Relaxed);
    }

    /// The reductions that have left something out, or may have.
    pub fn reduced(&self) -> Reductions {
        Reductions {
            barriers: self.gathered.load(Ordering::Relaxed),
            symmetry: self.had_twins.load(Ordering::Relaxed),
            counters: self.counted.load(Ordering::Relaxed),
            rounds: self.unseen.was_used(),
        }
    }

    /// May updates whose results play no role be in no order?
    fn counts(&self) -> bool {
        self.counts.load(Ordering::Relaxed)
    }

    /// Is the order in which threads come to barriers, or to latches, no part of executions?
    fn gathers(&self, once: bool) -> bool {
        let counts = if once { &self.is_counted } else { &self.is_crowded };
        self.gathers.load(Ordering::Relaxed) && !counts.load(Ordering::Relaxed)
    }

    fn has_gathered(&self) {
        self.gathered.store(true, Ordering::Relaxed);
    }

    /// How many steps a thread may run without doing anything that others can see; then it has no end in sight.
    pub fn set_patience(&self, steps: u64) {
        self.patience.store(steps, Ordering::Relaxed);
    }

    fn patience(&self) -> u64 {
        self.patience.load(Ordering::Relaxed)
    }

    /// Threads that run for long without an action look at this flag, and stop where it is set.
    #[must_use]
    pub fn until(mut self, over: Arc<AtomicBool>) -> CProgram {
        self.over = over;
        self
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    #[inline]
    fn stands_at(&self, site: SiteId) {
        self.place.store(site.0, Ordering::Relaxed);
    }

    /// A thread has been in this loop for long.
    fn is_in(&self, number: u32, writes: Option<(SiteId, Address)>) {
        // Both in one word, which may be written often: the number from 1 on.
        let (site, at) = writes.unwrap_or((SiteId::NONE, Address(0)));
        self.loops.long_writes.store(at.0, Ordering::Relaxed);
        self.loops.long.store((u64::from(number) + 1) << 32 | u64::from(site.0), Ordering::Relaxed);
    }

    /// Where the search is: in a loop, if a thread has been in one for long.
    pub fn standing(&self) -> Option<Standing> {
        let long = self.loops.long.load(Ordering::Relaxed);
        let in_loop = ((long >> 32) as u32).checked_sub(1).and_then(|number| {
            let site = self.loop_at(number).1.site?;
            let at = Address(self.loops.long_writes.load(Ordering::Relaxed));
            let writes = Some((SiteId(long as u32), at)).filter(|&(site, _)| site != SiteId::NONE);
            Some(Standing::Loop { site, writes })
        });
        let place = SiteId(self.place.load(Ordering::Relaxed));
        in_loop.or((place != SiteId::NONE).then_some(Standing::At(place)))
    }

    /// From now on, keep what the first thread prints.
    pub fn record_output(&self) {
        self.records.store(true, Ordering::Relaxed);
    }

    /// How the first thread ended in the first execution in which it did, if that was to be kept.
    pub fn ended(&self) -> Option<Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn records(&self) -> bool {
        self.records.load(Ordering::Relaxed)
    }

    fn note_end(&self, printed: &[Text], result: u64) {
        if self.records() {
            let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            let output = || printed.iter().filter(|text| text.stream == Stream::Output);
            ended.get_or_insert_with(|| Ended {
                output: output().flat_map(|text| &text.bytes).copied().collect(),
                result,
            });
        }
    }

    fn is_sc(&self) -> bool {
        self.model() == Model::Sc
    }

    /// The model under which the program is run.
    fn model(&self) -> Model {
        let number = self.model.load(Ordering::Relaxed);
        Model::ALL.into_iter().find(|&model| model as u8 == number).unwrap_or(Model::Rc20)
    }

    /// May weak compare-exchanges fail for no reason?
    fn spurious_cas(&self) -> bool {
        self.spurious_cas.load(Ordering::Relaxed)
    }

    fn wakes_spuriously(&self) -> bool {
        self.wakes_spuriously.load(Ordering::Relaxed)
    }

    fn spares(&self) -> bool {
        self.spares.load(Ordering::Relaxed)
    }

    /// May a read of this memory in a futile round be part of something wrong? `address` is the engine's.
    fn may_be_disturbed(&self, address: Address, plain: bool) -> bool {
        self.disturbances.asked(address, plain, |fact| {
            lock(&self.facts).insert(Fact::Disturbed(fact));
        })
    }

    /// May there be a plain access to this memory, or may it be freed?
    fn may_be_plain(&self, at: u64) -> bool {
        match address::decode(at) {
            Target::Global { index, .. } => self.plain_globals.get(index as usize).copied().unwrap_or(true),
            _ => true,
        }
    }

    /// Does this place belong to a library function that is there in C? Loops there only wait.
    fn is_ours(&self, site: SiteId) -> bool {
        let file = self.code.sources.site(site).and_then(|site| site.file.as_deref());
        file.is_some_and(is_ours)
    }

    /// Does this place belong to a library?
    fn is_foreign(&self, site: SiteId) -> bool {
        self.foreign.get(site.index()).copied().unwrap_or(false)
    }

    /// Can this fact be one of this program's?
    fn fits(&self, fact: &Fact) -> bool {
        match *fact {
            Fact::Global(index) => (index as usize) < self.shared_globals.len(),
            Fact::Place(place) => usize::from(place) < self.shared_places.len(),
            Fact::Endless(number) => (number as usize) < self.loops.endless.len(),
            Fact::InSections(_)
            | Fact::Waiter(_)
            | Fact::Nested(_)
            | Fact::Together(..)
            | Fact::Disturbed(_)
            | Fact::Seen(_)
            | Fact::Overwritten(_)
            | Fact::Crowded
            | Fact::Counted => true,
            Fact::Whole(at, width) => at.is_multiple_of(width.bytes()),
        }
    }

    fn global_is_shared(&self, index: u32) -> bool {
        self.shared_globals[index as usize].load(Ordering::Relaxed)
    }

    fn place_is_shared(&self, place: u16) -> bool {
        self.shared_places[usize::from(place)].load(Ordering::Relaxed)
    }

    fn loop_number(&self, function: u32, head: u16) -> u32 {
        self.loops.first[function as usize] + u32::from(head)
    }

    /// A loop's function and head.
    fn loop_at(&self, number: u32) -> (&Function, &Head) {
        let after = self.loops.first.partition_point(|&first| first <= number);
        let function = &self.code.functions[after - 1];
        (function, &function.heads[(number - self.loops.first[after - 1]) as usize])
    }

    /// How often a loop may go round, if that is bounded.
    #[inline]
    fn bound_of(&self, number: u32) -> Option<u32> {
        if self.loops.unroll.is_some() {
            let site = self.loop_at(number).1.site;
            if site.is_some_and(|site| !self.is_foreign(site)) {
                return self.loops.unroll;
            }
        }
        let endless = self.loops.endless[number as usize].load(Ordering::Relaxed);
        endless.then_some(rounds::DEFAULT_BOUND)
    }

    /// A thread waits in this loop.
    fn waited(&self, function: u32, head: u16) {
        self.loops.waited[self.loop_number(function, head) as usize].store(true, Ordering::Relaxed);
    }

    /// A loop is followed no further.
    fn cut(&self, number: u32, changed: Vec<Reg>, writes: Option<(SiteId, Address)>, spawns: bool) {
        let variables = &self.loop_at(number).0.variables;
        let named = |register: &Reg| variables.iter().any(|(r, _)| r == register);
        let mut cut = lock(&self.loops.cut);
        let entry = cut.entry(number).or_default();
        entry.changed.extend(changed.into_iter().filter(named));
        entry.writes = entry.writes.or(writes);
        entry.spawns |= spawns;
    }

    /// What may not mean what it seems to, and where.
    pub fn warnings(&self) -> &[(SiteId, String)] {
        &self.code.warnings
    }

    /// Where threads waited in loops.
    pub fn waits(&self) -> Vec<SiteId> {
        let waited =
            self.loops.waited.iter().enumerate().filter(|(_, waited)| waited.load(Ordering::Relaxed));
        let sites = waited.filter_map(|(number, _)| self.loop_at(number as u32).1.site);
        let sites: BTreeSet<SiteId> = sites.filter(|&site| !self.is_foreign(site)).collect();
        sites.into_iter().collect()
    }

    /// The loops that were not followed to their ends.
    pub fn cut_loops(&self) -> Vec<CutLoop> {
        let cut = self.loops.cut.lock().unwrap_or_else(PoisonError::into_inner);
        let describe = |(&number, Cut { changed, writes, spawns }): (&u32, &Cut)| {
            let (function, head) = self.loop_at(number);
            let name = |register: &Reg| function.variables.iter().find(|(r, _)| r == register);
            CutLoop {
                site: head.site.unwrap_or(SiteId::NONE),
                rounds: self.bound_of(number).unwrap_or_default(),
                wanted: self.loops.unroll.is_some(),
                changing: changed.iter().find_map(name).map(|(_, name)| name.clone()),
                writes: *writes,
                spawns: *spawns,
            }
        };
        cut.iter().map(describe).collect()
    }

    /// The bit of a thread that waits for condition variables, if it is known to do so.
    fn bit_of(&self, thread: u64) -> Option<usize> {
        let waiters = self.waiters.read().unwrap_or_else(PoisonError::into_inner);
        waiters.threads.iter().position(|&waiter| waiter == thread)
    }

    /// The thread with a bit.
    fn waiter(&self, bit: usize) -> Option<u64> {
        let waiters = self.waiters.read().unwrap_or_else(PoisonError::into_inner);
        waiters.threads.iter().nth(bit).copied()
    }

    /// How many threads wait for a condition variable at the same time, as far as is known.
    fn together(&self, condition: u64) -> u32 {
        let waiters = self.waiters.read().unwrap_or_else(PoisonError::into_inner);
        waiters.together.get(&condition).copied().unwrap_or(0)
    }

    fn learn(&self, fact: Fact) {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).insert(fact);
    }
}

/// Global variables whose address stands in a plain access, or anywhere else than in an access.
fn plain_globals(code: &Code) -> Vec<bool> {
    let mut plain = vec![false; code.globals.len()];
    for word in code.globals.iter().flat_map(|global| global.initial.windows(8)) {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        if let Target::Global { index, .. } = address::decode(word)
            && let Some(entry) = plain.get_mut(index as usize)
        {
            *entry = true;
        }
    }
    for function in &code.functions {
        let global = |operand: Operand| match operand.decode() {
            Err(constant) => match address::decode(function.constants[usize::from(constant)]) {
                Target::Global { index, .. } => Some(index as usize),
                _ => None,
            },
            Ok(_) => None,
        };
        for inst in &function.code {
            let operands = match *inst {
                Inst::Load { address, order: Order::Plain, .. } => vec![address],
                Inst::Store { address, from, order: Order::Plain, .. } => vec![address, from],
                Inst::Move { from, .. } => vec![from],
                Inst::Element { base, .. } => vec![base],
                Inst::Arith { left, right, .. } => vec![left, right],
                Inst::Copy { to, from, .. } => vec![to, from],
                Inst::Fill { to, .. } => vec![to],
                _ => Vec::new(),
            };
            for index in operands.into_iter().filter_map(global) {
                if let Some(entry) = plain.get_mut(index) {
                    *entry = true;
                }
            }
        }
        for index in function.operands.iter().copied().filter_map(global) {
            if let Some(entry) = plain.get_mut(index) {
                *entry = true;
            }
        }
    }
    plain
}

fn object(global: &Global) -> Object {
    let size = global.initial.len() as u64;
    let mut widths = global.cells.pieces.iter().map(|piece| piece.1);
    let cell = match widths.next() {
        Some(first) if widths.all(|width| width == first) => first,
        _ => Width::B1,
    };
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | Value::from(byte));
    Object {
        name: global.name.clone(),
        address: Address(global.address),
        size,
        cell,
        initial: global.initial.chunks(cell.bytes() as usize).map(value).collect(),
    }
}

impl Program for CProgram {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        1
    }

    fn start(&self, entry: Entry) -> Cursor {
        match entry {
            Entry::Initial(_) => {
                let mut cursor = Cursor::main(&self.code);
                if self.records() {
                    cursor.listen(None);
                }
                cursor
            }
            Entry::Spawned { code, argument, name } => {
                Cursor::spawned(&self.code, code as u32, argument, name)
            }
        }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        cursor.resume(self, answer)
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.code.sources)
    }

    fn hints(&self) -> &dyn Hints<Cursor> {
        self
    }
}

impl Hints<Cursor> for CProgram {
    fn fingerprint(&self) -> u64 {
        self.code.fingerprint()
    }

    fn same(&self, left: &Cursor, right: &Cursor) -> bool {
        // The one that really failed is the right one.
        left.same(right, &self.code)
    }

    fn state_number(&self, cursor: &Cursor) -> Option<u128> {
        cursor.state_number(&self.code)
    }

    fn weight(&self, cursor: &Cursor) -> usize {
        cursor.memory.bytes()
    }

    fn spared(&self, cursor: &Cursor) -> Option<u32> {
        cursor.waits.spared
    }

    fn spare(&self, cursor: &mut Cursor, reads: &[(Address, Order)]) -> bool {
        let risky = |&(at, order): &(Address, Order)| {
            let plain = order == Order::Plain;
            (plain || self.may_be_plain(at.0)) && self.may_be_disturbed(at, plain)
        };
        let never = Mutant::TryNeverSpared.is_active();
        if never || !self.spares() || cursor.waits.spared.is_some() || !reads.iter().any(risky) {
            return false;
        }
        cursor.waits.spared = Some(0);
        cursor.waits.effect();
        true
    }

    fn watch(&self) {
        if self.spares() {
            self.disturbances.watch();
            lock(&self.facts).insert(Fact::Disturbed(Disturbed::Some));
        }
    }

    fn watches(&self) -> bool {
        self.disturbances.watches()
    }

    fn disturbed(&self, what: Disturbance) -> bool {
        self.disturbances.disturbed(what, |fact| self.learn(Fact::Disturbed(fact)))
    }

    fn is_unseen(&self, address: Address) -> bool {
        self.unseen.has(address)
    }

    fn begins_round(&self, cursor: &Cursor) -> bool {
        cursor.waits.has_just_stored()
    }

    fn has_unseen(&self) -> bool {
        self.unseen.is_there()
    }

    fn seen(&self, address: Address) {
        self.learn(Fact::Seen(address));
    }

    fn overwrites(&self, address: Address) -> bool {
        self.unseen.overwrites(address)
    }

    fn overwrite(&self, address: Address) -> bool {
        if self.unseen.overwrites(address) {
            self.unseen.used();
            return true;
        }
        if self.unseen.has(address) {
            self.unseen.wants_to_overwrite();
            self.learn(Fact::Overwritten(address));
        }
        false
    }

    fn wants_restart(&self) -> bool {
        self.unseen.wants_restart()
    }

    fn copies(&self, cursor: &Cursor) -> bool {
        cursor.copies()
    }

    fn unset(&self, cursor: &Cursor) -> Value {
        cursor.unset()
    }

    fn has_unset(&self) -> bool {
        self.writes_unset.load(Ordering::Relaxed)
    }

    fn listen(&self, cursor: &mut Cursor, earlier: Option<&Cursor>) -> bool {
        if self.prints {
            cursor.listen(earlier);
        }
        self.prints
    }

    fn printed(&self, cursor: &Cursor) -> Vec<Text> {
        cursor.printed().to_vec()
    }

    fn pointer(&self, value: Value) -> Option<Address> {
        matches!(address::decode(value), Target::Engine(_)).then(|| self.engine(value))
    }

    fn divide(&self, overlap: &Overlap) -> bool {
        self.divided.divide(overlap)
    }

    fn shorten(&self, cursor: &Cursor) -> bool {
        let endless = cursor.innermost_loop(self).filter(|&number| self.bound_of(number).is_none());
        endless.inspect(|&number| self.learn(Fact::Endless(number))).is_some()
    }

    fn has_name(&self, cursor: &Cursor) -> bool {
        cursor.has_name.get()
    }

    fn left_out_twins(&self) {
        self.had_twins.store(true, Ordering::Relaxed);
    }

    fn left_out_orders(&self) {
        self.counted.store(true, Ordering::Relaxed);
    }

    fn crowded(&self) {
        self.learn(Fact::Crowded);
    }

    fn restarted(&self) {
        let learned = std::mem::take(&mut *self.learned.lock().unwrap_or_else(PoisonError::into_inner));
        let mut waiters = self.waiters.write().unwrap_or_else(PoisonError::into_inner);
        lock(&self.facts).extend(learned.iter().copied());
        for fact in learned {
            match fact {
                Fact::Global(index) => self.shared_globals[index as usize].store(true, Ordering::Relaxed),
                Fact::Place(place) => self.shared_places[usize::from(place)].store(true, Ordering::Relaxed),
                Fact::Endless(number) => self.loops.endless[number as usize].store(true, Ordering::Relaxed),
                Fact::Whole(at, width) => self.divided.keep_whole(at, width),
                Fact::InSections(at) => self.sections.learned(at),
                Fact::Disturbed(fact) => self.disturbances.learned(fact),
                Fact::Seen(address) => self.unseen.seen(address),
                Fact::Overwritten(address) => self.unseen.overwritten(address),
                Fact::Crowded => {
                    self.is_crowded.store(true, Ordering::Relaxed);
                    self.is_counted.store(true, Ordering::Relaxed);
                }
                Fact::Counted => self.is_counted.store(true, Ordering::Relaxed),
                Fact::Waiter(thread) => {
                    waiters.threads.insert(thread);
                }
                Fact::Nested(thread) => {
                    self.nested.write().unwrap_or_else(PoisonError::into_inner).insert(thread);
                }
                Fact::Together(condition, count) => {
                    let known = waiters.together.entry(condition).or_default();
                    *known = count.max(*known);
                }
            }
        }
        self.out_of_stack.store(false, Ordering::Relaxed);
        *lock(&self.not_started) = None;
        self.gathered.store(false, Ordering::Relaxed);
        self.had_twins.store(false, Ordering::Relaxed);
        self.counted.store(false, Ordering::Relaxed);
        self.loops.waited.iter().for_each(|waited| waited.store(false, Ordering::Relaxed));
        lock(&self.loops.cut).clear();
        self.loops.long.store(0, Ordering::Relaxed);
    }

    fn learned(&self) -> Vec<u8> {
        let learned = Learned { facts: lock(&self.facts).clone(), pieces: self.divided.pieces() };
        if learned.facts.is_empty() && learned.pieces.is_empty() {
            return Vec::new();
        }
        // A list in memory: nothing can fail.
        postcard::to_stdvec(&learned).unwrap_or_default()
    }

    fn recall(&self, learned: &[u8]) -> bool {
        if learned.is_empty() {
            return true;
        }
        let Ok(learned) = postcard::from_bytes::<Learned>(learned) else { return false };
        if !learned.facts.iter().all(|fact| self.fits(fact)) {
            return false;
        }
        lock(&self.learned).extend(learned.facts);
        self.divided.recall(learned.pieces);
        self.restarted();
        true
    }
}

/// What a program learned, to be written down.
#[derive(Serialize, Deserialize)]
struct Learned {
    facts: BTreeSet<Fact>,
    pieces: BTreeMap<u64, (Width, SiteId)>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// May a thread take a lock of the engine's?
fn takes_locks(code: &Code) -> bool {
    let takes = |inst: &Inst| matches!(inst, Inst::Lock { .. } | Inst::TryLock { .. });
    code.has_sections || code.functions.iter().any(|function| function.code.iter().any(takes))
}
