//! What a worker learns about the program as it goes: locations and threads, numbered as they are met.
//!
//! The numbers are the worker's own; nothing that decides anything may depend on them. Threads have names that
//! follow from who spawned them, and addresses of allocated memory from who allocated it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::resolve::{Request, failure};
use crate::graph::{Loc, NO_LOC};
use crate::id::{Address, EventId, SiteId, WordOf};
use crate::outcome::{StopReason, ViolationKind};
use crate::program::action::{LockMode, Value, Width};
use crate::program::{Object, Overlap, Program};
use crate::search::Locks;

/// A mistake of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub kind: ViolationKind,
    pub message: String,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub address: Address,
    pub width: Width,
    /// Its initial value, if it has one.
    pub initial: Option<Value>,
    /// The allocation it lies in, if it was allocated.
    pub within: Option<Dynamic>,
    /// What it is used for.
    pub usage: LocationUse,
}

/// What a location is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocationUse {
    /// Not known yet.
    Unknown,
    /// Only lock and unlock: the lock rule applies (engine.md §8.1).
    Lock,
    /// Anything else; a lock here is an update of its word like any other.
    Word,
}

/// Accesses in different pieces that the program cannot divide.
pub(crate) fn mixed_sizes<P: Program>(program: &P, overlap: &Overlap) -> StopReason {
    let address = overlap.here.0;
    let of = |o: &&Object| o.address <= address && address.0 - o.address.0 < o.size;
    let name = program
        .objects()
        .iter()
        .find(of)
        .map_or_else(|| format!("{:#x}", address.0), |object| format!("`{}`", object.name));
    let (here, there) = (overlap.here.1.bytes(), overlap.there.1.bytes());
    let message = format!(
        "the same bytes of {name} are accessed with different sizes, here {here} and elsewhere {there}; \
         mixed-size access is not supported"
    );
    StopReason::Unsupported { message, site: overlap.site }
}

/// Why a search starts again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RestartReason {
    /// The lock rule does not apply to this lock.
    Word(Address),
    /// The program learned something.
    Program,
    /// Accesses overlap: they are to be divided.
    Overlap(Overlap),
    /// There are locks: their sections are to be left unordered.
    Locks,
    /// The search that leaves sections unordered learned something.
    Lessons,
    /// Somebody tries this lock, which several threads can hold.
    Tried(Address),
    /// A thread takes such a lock, in a way that was not known.
    Holder { lock: Address, thread: u32, mode: LockMode },
}

/// What earlier searches found out about locks.
#[derive(Clone, Debug, Default)]
pub(crate) struct LockKnowledge {
    /// Locks to which the lock rule does not apply: somebody tries them, or accesses their word.
    words: BTreeSet<Address>,
    /// Locks that several threads can hold and that somebody tries: who takes them, by name, and whether alone.
    tried: BTreeMap<Address, BTreeMap<u32, bool>>,
}

impl LockKnowledge {
    /// Learn why a search starts again, and how it does so.
    pub fn learn(&mut self, again: RestartReason, locks: Locks, handling: &mut LockHandling) {
        match again {
            RestartReason::Word(word) => {
                self.words.insert(word);
                // It may have been the only lock.
                if self.tried.is_empty() {
                    *handling = LockHandling::at_first(locks);
                }
            }
            RestartReason::Tried(lock) => {
                self.words.remove(&lock);
                self.tried.entry(lock).or_default();
                *handling = LockHandling::Unordered;
            }
            RestartReason::Holder { lock, thread, mode } => {
                let alone = self.tried.entry(lock).or_default().entry(thread).or_default();
                *alone |= mode == LockMode::Exclusive;
            }
            RestartReason::Locks => *handling = LockHandling::Unordered,
            RestartReason::Program | RestartReason::Overlap(_) | RestartReason::Lessons => {}
        }
    }
}

/// What is done with locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LockHandling {
    /// A lock is an update of its word; only shared ones need another search.
    Ordered,
    /// No lock was met yet; with the first one the search starts again.
    Watched,
    /// Sections are left unordered, except for those of locks that somebody tries.
    Unordered,
}

impl LockHandling {
    /// How a search begins.
    pub fn at_first(locks: Locks) -> LockHandling {
        match locks {
            Locks::Aware => LockHandling::Watched,
            Locks::Ordered => LockHandling::Ordered,
        }
    }
}

/// An allocation: who made it, and which of that thread's it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dynamic {
    pub name: u32,
    pub nth: u32,
    pub offset: u64,
}

const DYNAMIC: u64 = Address::ALLOCATED;
const NTH_BITS: u32 = 13;
const OFFSET_BITS: u32 = 26;

/// The tables.
pub(crate) struct Tables {
    objects: Vec<Object>,
    by_address: FxHashMap<u64, Loc>,
    pub locations: Vec<Location>,
    /// Thread numbers by name; the names by number.
    by_name: FxHashMap<u32, usize>,
    pub names: Vec<u32>,
    /// Thread numbers in the order of names.
    pub by_rank: Vec<usize>,
    initial_threads: u32,
    /// Sizes of allocations met, and whether they are zeroed.
    pub allocations: FxHashMap<(u32, u32), (u64, bool)>,
    /// Some location was allocated, or starts uninitialised.
    pub unusual: bool,
    /// Some access is plain.
    pub plain: bool,
    /// Some location is a lock.
    pub has_locks: bool,
    known: LockKnowledge,
    /// Something was learned: the search has to start again.
    pub restart: Option<RestartReason>,
    handling: LockHandling,
}

impl Tables {
    pub fn new<P: Program>(program: &P, known: &LockKnowledge, handling: LockHandling) -> Tables {
        let mut objects = program.objects().to_vec();
        objects.sort_by_key(|o| o.address);
        let mut tables = Tables {
            objects,
            by_address: FxHashMap::default(),
            locations: Vec::new(),
            by_name: FxHashMap::default(),
            names: Vec::new(),
            by_rank: Vec::new(),
            initial_threads: program.threads(),
            allocations: FxHashMap::default(),
            unusual: false,
            plain: false,
            has_locks: false,
            known: known.clone(),
            restart: None,
            handling,
        };
        for i in 0..program.threads() {
            tables.thread(i);
        }
        tables
    }

    /// The number of a thread by its name.
    pub fn thread(&mut self, name: u32) -> usize {
        if let Some(&number) = self.by_name.get(&name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name);
        self.by_name.insert(name, number);
        let at = self.by_rank.partition_point(|&t| self.names[t] < name);
        self.by_rank.insert(at, number);
        number
    }

    /// The number of a thread that was spawned before.
    pub fn known_thread(&self, name: u64) -> Option<usize> {
        u32::try_from(name).ok().and_then(|name| self.by_name.get(&name)).copied()
    }

    /// The name of the `nth` thread that `parent` spawns. None if there are too many.
    ///
    /// Three levels in one number: who exists from the start (or was spawned by the only such thread), who that one
    /// spawned, and who those spawned.
    pub fn spawned_name(&self, parent: usize, nth: u32) -> Option<u32> {
        let name = self.names[parent];
        if self.initial_threads == 1 && name == 0 {
            return (nth < 1022).then_some(nth + 1);
        }
        if nth >= 127 {
            return None;
        }
        if name < 1 << 10 {
            Some(name | (nth + 1) << 10)
        } else if name < 1 << 17 {
            Some(name | (nth + 1) << 17)
        } else {
            None
        }
    }

    /// The address of a thread's `nth` allocation.
    pub fn allocated_address(&mut self, thread: usize, nth: u32, size: u64, zeroed: bool) -> Option<Address> {
        if nth >= 1 << NTH_BITS || size >= 1 << OFFSET_BITS {
            return None;
        }
        let name = self.names[thread];
        self.allocations.insert((name, nth), (size, zeroed));
        Some(Tables::address_of(name, nth))
    }

    /// Where an allocation begins.
    pub fn address_of(name: u32, nth: u32) -> Address {
        Address(DYNAMIC | (name as u64) << (NTH_BITS + OFFSET_BITS) | (nth as u64) << OFFSET_BITS)
    }

    /// Which allocation does this address name?
    pub fn dynamic(&self, address: Address) -> Result<Dynamic, Request> {
        if address.0 & DYNAMIC == 0 {
            return Err(failure(ViolationKind::InvalidFree, "free of memory that was not allocated"));
        }
        Ok(Dynamic {
            name: (address.0 >> (NTH_BITS + OFFSET_BITS)) as u32 & 0xff_ffff,
            nth: (address.0 >> OFFSET_BITS) as u32 & ((1 << NTH_BITS) - 1),
            offset: address.0 & ((1 << OFFSET_BITS) - 1),
        })
    }

    /// The location at an address.
    pub fn location(&mut self, address: Address, width: Width, site: SiteId) -> Result<Loc, Request> {
        if let Some(&loc) = self.by_address.get(&address.0) {
            if self.locations[loc as usize].width == width {
                return Ok(loc);
            }
            return Err(self.mixed((address, width), loc, site));
        }
        let (initial, within) = self.find(address, width)?;
        for near in address.0.saturating_sub(7)..address.0 + width.bytes() {
            if let Some(&loc) = self.by_address.get(&near) {
                let other = &self.locations[loc as usize];
                if other.address.0 + other.width.bytes() > address.0 {
                    return Err(self.mixed((address, width), loc, site));
                }
            }
        }
        let loc = self.locations.len() as Loc;
        self.unusual |= initial.is_none() || within.is_some();
        self.locations.push(Location { address, width, initial, within, usage: LocationUse::Unknown });
        self.by_address.insert(address.0, loc);
        Ok(loc)
    }

    /// A location is used in one way or the other. If it is used in both, it is no lock for the lock rule.
    pub fn use_as(&mut self, loc: Loc, usage: LocationUse) -> LocationUse {
        let location = &mut self.locations[loc as usize];
        if self.known.words.contains(&location.address) {
            location.usage = LocationUse::Word;
            return LocationUse::Word;
        }
        if location.usage == LocationUse::Unknown {
            location.usage = usage;
        } else if location.usage != usage {
            self.restart.get_or_insert(RestartReason::Word(location.address));
        }
        self.has_locks |= usage == LocationUse::Lock;
        location.usage
    }

    /// Does the lock rule apply to this location?
    #[inline]
    pub fn is_lock(&self, loc: Loc) -> bool {
        self.has_locks && loc != NO_LOC && self.locations[loc as usize].usage == LocationUse::Lock
    }

    /// Are the sections of this lock left unordered?
    pub fn leaves_unordered(&self, address: Address) -> bool {
        self.handling == LockHandling::Unordered && !self.known.words.contains(&address)
    }

    /// Is this the search that leaves sections unordered?
    #[inline]
    pub fn is_unordered(&self) -> bool {
        self.handling == LockHandling::Unordered
    }

    /// A lock that is to be an update of its word.
    pub fn meet_lock(&mut self, address: Address) {
        if self.handling == LockHandling::Watched && !self.known.words.contains(&address) {
            self.restart.get_or_insert(RestartReason::Locks);
        }
    }

    /// A lock that several threads can hold, where it cannot be a word: somebody tries it, or the search is another one.
    pub fn meet_shared(&mut self, address: Address, tried: bool) {
        let tried = tried || self.known.words.contains(&address);
        self.restart.get_or_insert(if tried { RestartReason::Tried(address) } else { RestartReason::Locks });
    }

    /// The number of a lock that several threads can hold and that somebody tries.
    pub fn tried(&self, address: Address) -> Option<u32> {
        if self.known.tried.is_empty() {
            return None;
        }
        self.known.tried.keys().position(|&lock| lock == address).map(|number| number as u32)
    }

    /// Does somebody try a lock that several threads can hold?
    #[inline]
    pub fn has_tried(&self) -> bool {
        !self.known.tried.is_empty()
    }

    /// The address of such a lock.
    pub fn tried_address(&self, number: u32) -> Address {
        *self.known.tried.keys().nth(number as usize).expect("a lock that is tried")
    }

    /// Whom can a thread find holding such a lock, when it wants to take it in this way? By name.
    pub fn holders(&self, number: u32, thread: u32, mode: LockMode) -> impl Iterator<Item = u32> + '_ {
        let holders = self.known.tried.values().nth(number as usize).into_iter().flatten();
        let excludes = move |alone: bool| alone || mode == LockMode::Exclusive;
        holders.filter(move |&(&name, &alone)| name != thread && excludes(alone)).map(|(&name, _)| name)
    }

    /// A thread takes such a lock: is that known?
    pub fn meet_holder(&mut self, lock: Address, thread: u32, mode: LockMode) {
        let alone = self.known.tried.get(&lock).and_then(|holders| holders.get(&thread));
        if alone.is_none_or(|&alone| !alone && mode == LockMode::Exclusive) {
            self.restart.get_or_insert(RestartReason::Holder { lock, thread, mode });
        }
    }

    /// The same bytes are accessed in different pieces: the search starts again, if the program can divide them.
    fn mixed(&mut self, here: (Address, Width), other: Loc, site: SiteId) -> Request {
        let other = &self.locations[other as usize];
        let overlap = Overlap { here, there: (other.address, other.width), site };
        self.restart.get_or_insert(RestartReason::Overlap(overlap));
        Request::Block
    }

    fn object_at(&self, address: Address) -> Option<&Object> {
        let after = self.objects.partition_point(|o| o.address <= address);
        let object = self.objects[..after].last()?;
        (address.0 - object.address.0 < object.size).then_some(object)
    }

    fn find(&self, address: Address, width: Width) -> Result<(Option<Value>, Option<Dynamic>), Request> {
        match address.of_word() {
            // A word lives as long as what it stands for.
            Some(WordOf::Memory(memory)) if memory.0 & DYNAMIC != 0 => {
                let (_, within) = self.find(memory, Width::B1)?;
                return Ok((Some(0), within));
            }
            Some(_) => return Ok((Some(0), None)),
            None => {}
        }
        if address.0 & DYNAMIC != 0 {
            let at = self.dynamic(address)?;
            return match self.allocations.get(&(at.name, at.nth)) {
                Some(&(size, zeroed)) if at.offset + width.bytes() <= size => {
                    Ok((zeroed.then_some(0), Some(at)))
                }
                Some(&(size, _)) => Err(failure(
                    ViolationKind::OutOfBounds,
                    format!("access at byte {} of an allocation of {size} bytes", at.offset),
                )),
                None => Err(failure(ViolationKind::OutOfBounds, "access through a pointer to no object")),
            };
        }
        if address.0 < 4096 && self.object_at(address).is_none() {
            return Err(failure(ViolationKind::NullDereference, "access through a null pointer"));
        }
        let Some(object) = self.object_at(address) else {
            return Err(failure(ViolationKind::OutOfBounds, "access through a pointer to no object"));
        };
        let offset = address.0 - object.address.0;
        if offset + width.bytes() > object.size {
            return Err(failure(
                ViolationKind::OutOfBounds,
                format!("access at byte {offset} of `{}`, which has {} bytes", object.name, object.size),
            ));
        }
        if width != object.cell || !offset.is_multiple_of(object.cell.bytes()) {
            let bytes = |at: u64| {
                let cell = (at / object.cell.bytes()) as usize;
                object.initial.get(cell).map(|v| v >> (8 * (at % object.cell.bytes())) & 0xff)
            };
            let mut value = Some(0);
            for i in 0..width.bytes() {
                value = value.zip(bytes(offset + i)).map(|(v, b)| v | b << (8 * i));
            }
            return Ok((value, None));
        }
        Ok((object.initial.get((offset / object.cell.bytes()) as usize).map(|&v| width.cut(v)), None))
    }

    /// The location at an address, if a graph can have met it.
    pub fn known_location(&self, address: Address) -> Option<Loc> {
        self.by_address.get(&address.0).copied()
    }

    /// The initial value at an address that was never accessed: its object's cell there.
    pub fn initial_value(&self, address: Address) -> Value {
        let Some(object) = self.object_at(address) else { return 0 };
        self.find(address, object.cell).ok().and_then(|(value, _)| value).unwrap_or(0)
    }

    /// The value a write put there.
    pub fn value_of(&self, loc: Loc, write: EventId, written: impl Fn(EventId) -> Value) -> Value {
        if write.is_init() { self.locations[loc as usize].initial.unwrap_or(0) } else { written(write) }
    }
}
