//! Memory: which location an address names, and what lies there at first.
//!
//! Locations are numbered as they are met, so the numbers are a worker's own. The address of allocated memory
//! follows from the thread that allocated it and how often that thread had allocated before, so it is the
//! same in all executions; its size and contents are not, and are asked of the graph.

use rustc_hash::FxHashMap;

use crate::graph::Loc;
use crate::id::{Address, AllocationId, SiteId, WordOf};
use crate::outcome::ViolationKind;
use crate::program::action::{Value, Width};
use crate::program::{Object, Overlap, Program};

use super::resolve::Failure;

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub address: Address,
    pub width: Width,
    pub initial: Initial,
    /// The allocation it lies in, if it was allocated.
    pub within: Option<AllocationId>,
    /// What it is used for.
    pub usage: LocationUse,
    /// Some thread changes a part of it by reading and writing all of it (`check/parts.rs`).
    pub changed_in_parts: bool,
}

/// What lies at a location before any write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Initial {
    Value(Value),
    /// Nothing: reading it is a mistake.
    Uninitialised,
    /// What its allocation says, this many bytes from its beginning.
    Allocated {
        offset: u64,
    },
}

/// What a location is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocationUse {
    /// Not known yet.
    Unknown,
    /// Only lock and unlock: in the ordinary search the lock rule applies (docs/engine.md, "Locks in order").
    Lock,
    /// Anything else; a lock here is an update of its word like any other.
    Word,
}

/// Why an address cannot be accessed.
pub(crate) enum Unmapped {
    /// A mistake of the program.
    Failure(Failure),
    /// Some of the same bytes were accessed as part of another location.
    Overlap(Overlap),
}

/// The objects and locations that are known.
pub(crate) struct MemoryMap {
    objects: Vec<Object>,
    by_address: FxHashMap<u64, Loc>,
    pub locations: Vec<Location>,
}

impl MemoryMap {
    pub fn new<P: Program>(program: &P) -> MemoryMap {
        let mut objects = program.objects().to_vec();
        objects.sort_by_key(|o| o.address);
        MemoryMap { objects, by_address: FxHashMap::default(), locations: Vec::new() }
    }

    /// The location at an address, if it is known with this width and is not in allocated memory.
    #[inline]
    pub fn static_location(&self, address: Address, width: Width) -> Option<Loc> {
        let loc = *self.by_address.get(&address.0)?;
        let location = &self.locations[loc as usize];
        (location.width == width && location.within.is_none()).then_some(loc)
    }

    /// The location at an address. `size` gives the size of an allocation of the graph at hand, `object_at`
    /// memory that the program did not name before.
    pub fn location(
        &mut self,
        address: Address,
        width: Width,
        site: SiteId,
        size: impl Fn(AllocationId) -> Option<u64>,
        object_at: &dyn Fn(Address) -> Option<Object>,
    ) -> Result<Loc, Unmapped> {
        if let Some(&loc) = self.by_address.get(&address.0) {
            let location = &self.locations[loc as usize];
            if location.width != width {
                return Err(self.overlap((address, width), loc, site));
            }
            if let Some(within) = location.within {
                self.check_bounds(address, width, within, size)?;
            }
            return Ok(loc);
        }
        if address.of_word().is_none()
            && AllocationId::at(address).is_none()
            && self.object_at(address).is_none()
            && let Some(object) = object_at(address)
        {
            let at = self.objects.partition_point(|o| o.address <= object.address);
            self.objects.insert(at, object);
        }
        let (initial, within) = self.find(address, width, size)?;
        for near in address.0.saturating_sub(7)..address.0 + width.bytes() {
            if let Some(&loc) = self.by_address.get(&near) {
                let other = &self.locations[loc as usize];
                if other.address.0 + other.width.bytes() > address.0 {
                    return Err(self.overlap((address, width), loc, site));
                }
            }
        }
        let loc = self.locations.len() as Loc;
        let usage = LocationUse::Unknown;
        self.locations.push(Location { address, width, initial, within, usage, changed_in_parts: false });
        self.by_address.insert(address.0, loc);
        Ok(loc)
    }

    /// The same bytes are accessed in different pieces.
    fn overlap(&self, here: (Address, Width), other: Loc, site: SiteId) -> Unmapped {
        let other = &self.locations[other as usize];
        Unmapped::Overlap(Overlap { here, there: (other.address, other.width), site })
    }

    fn object_at(&self, address: Address) -> Option<&Object> {
        let after = self.objects.partition_point(|o| o.address <= address);
        let object = self.objects[..after].last()?;
        (address.0 - object.address.0 < object.size).then_some(object)
    }

    /// The allocation that an access is in, and how many bytes the allocation must have for it.
    pub fn room(&self, address: Address, width: Width) -> Option<(AllocationId, u64)> {
        // A word that stands for an object in memory needs one byte of it.
        let (memory, bytes) = match address.of_word() {
            Some(WordOf::Memory(memory)) => (memory, 1),
            _ => (address, width.bytes()),
        };
        AllocationId::at(memory).map(|(allocation, offset)| (allocation, offset + bytes))
    }

    /// Does an access lie within its allocation?
    fn check_bounds(
        &self,
        address: Address,
        width: Width,
        within: AllocationId,
        size: impl Fn(AllocationId) -> Option<u64>,
    ) -> Result<(), Unmapped> {
        let needed = self.room(address, width).map_or(0, |(_, bytes)| bytes);
        match size(within) {
            Some(size) if needed <= size => Ok(()),
            Some(size) => {
                let offset = needed - if address.of_word().is_some() { 1 } else { width.bytes() };
                let message = format!("access at byte {offset} of an allocation of {size} bytes");
                Err(failure(ViolationKind::OutOfBounds, message))
            }
            None => Err(failure(ViolationKind::OutOfBounds, "access through a pointer to no object")),
        }
    }

    fn find(
        &self,
        address: Address,
        width: Width,
        size: impl Fn(AllocationId) -> Option<u64>,
    ) -> Result<(Initial, Option<AllocationId>), Unmapped> {
        match address.of_word() {
            // A word lives as long as what it stands for.
            Some(WordOf::Memory(memory)) => {
                let within = AllocationId::at(memory).map(|(within, _)| within);
                if let Some(within) = within {
                    self.check_bounds(address, width, within, size)?;
                }
                return Ok((Initial::Value(0), within));
            }
            Some(_) => return Ok((Initial::Value(0), None)),
            None => {}
        }
        if let Some((within, offset)) = AllocationId::at(address) {
            self.check_bounds(address, width, within, size)?;
            return Ok((Initial::Allocated { offset }, Some(within)));
        }
        let Some(object) = self.object_at(address) else {
            return Err(match address.0 {
                ..4096 => failure(ViolationKind::NullDereference, "access through a null pointer"),
                _ => failure(ViolationKind::OutOfBounds, "access through a pointer to no object"),
            });
        };
        let offset = address.0 - object.address.0;
        if offset + width.bytes() > object.size {
            let message =
                format!("access at byte {offset} of `{}`, which has {} bytes", object.name, object.size);
            return Err(failure(ViolationKind::OutOfBounds, message));
        }
        let initial = cells(&object.initial, object.cell, offset, width);
        Ok((initial.map_or(Initial::Uninitialised, Initial::Value), None))
    }

    /// The location at an address, if it was met.
    pub fn known(&self, address: Address) -> Option<Loc> {
        self.by_address.get(&address.0).copied()
    }

    /// What lies at an address that is not known as a location; none if it cannot be accessed there, or if some of the same
    /// bytes are known as another one.
    pub fn untouched(
        &self,
        address: Address,
        width: Width,
        size: impl Fn(AllocationId) -> Option<u64>,
        object_at: &dyn Fn(Address) -> Option<Object>,
    ) -> Option<(Initial, Option<AllocationId>)> {
        let is_near = |near: u64| {
            self.known(Address(near)).is_some_and(|loc| {
                let other = &self.locations[loc as usize];
                other.address.0 + other.width.bytes() > address.0
            })
        };
        if (address.0.saturating_sub(7)..address.0 + width.bytes()).any(is_near) {
            return None;
        }
        self.find(address, width, size).ok().or_else(|| {
            let object = if self.object_at(address).is_none() { object_at(address) } else { None }?;
            let offset = address.0 - object.address.0;
            let initial = cells(&object.initial, object.cell, offset, width)?;
            (offset + width.bytes() <= object.size).then_some((Initial::Value(initial), None))
        })
    }

    /// The initial value at an address of static memory that was never accessed: its object's cell there.
    pub fn initial_value(&self, address: Address) -> Value {
        let Some(object) = self.object_at(address) else { return 0 };
        let offset = address.0 - object.address.0;
        cells(&object.initial, object.cell, offset, object.cell).unwrap_or(0)
    }

    /// The value of this many bytes at an address of an object before any write; 0 if there is none.
    pub fn initial_of(&self, address: Address, width: Width, object: Option<&Object>) -> Value {
        let Some(object) = self.object_at(address).or(object) else { return 0 };
        let offset = address.0 - object.address.0;
        cells(&object.initial, object.cell, offset, width).unwrap_or(0)
    }

    /// Accesses in different pieces that the program cannot divide, in the user's words.
    pub fn mixed_sizes(&self, overlap: &Overlap) -> String {
        let address = overlap.here.0;
        let name = self
            .object_at(address)
            .map_or_else(|| format!("{:#x}", address.0), |object| format!("`{}`", object.name));
        let (here, there) = (overlap.here.1.bytes(), overlap.there.1.bytes());
        format!(
            "the same bytes of {name} are accessed with different sizes, here {here} and elsewhere {there}, which is not \
             supported here: access them in one size, or copy the whole object"
        )
    }
}

fn failure(kind: ViolationKind, message: impl Into<String>) -> Unmapped {
    Unmapped::Failure(Failure { kind, message: message.into(), related: Vec::new() })
}

/// The value of `width` bytes at an offset into cells, of which those beyond the list are uninitialised.
pub(crate) fn cells(initial: &[Value], cell: Width, offset: u64, width: Width) -> Option<Value> {
    if width == cell && offset.is_multiple_of(cell.bytes()) {
        return initial.get((offset / cell.bytes()) as usize).map(|&value| width.cut(value));
    }
    let byte = |at: u64| {
        let value = initial.get((at / cell.bytes()) as usize)?;
        Some(value >> (8 * (at % cell.bytes())) & 0xff)
    };
    (0..width.bytes()).try_fold(0, |value, i| Some(value | byte(offset + i)? << (8 * i)))
}
