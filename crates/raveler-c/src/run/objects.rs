//! Objects: local variables, the heap, thread-local variables, lists of arguments.

use raveler_core::{Contents, Operation, Storage, ViolationKind, Width};

use super::cursor::{Pending, SharedLocal};
use super::stack::local_bytes;
use super::step::{Stop, act, fail};
use super::waits::Changed;
use super::{CProgram, Cursor};
use crate::address::{self, MAX_SIZE, Private, Target};
use crate::code::Reg;

impl Cursor {
    pub(super) fn alloca(&mut self, program: &CProgram, to: Reg, size: u64, place: u16) -> Result<(), Stop> {
        let nth = self.memory.next(place);
        self.new_local(program, to, size, (place, nth))
    }

    /// A new local variable, of those from its place the one with this number.
    pub(super) fn new_local(
        &mut self,
        program: &CProgram,
        to: Reg,
        size: u64,
        (place, nth): (u16, u32),
    ) -> Result<(), Stop> {
        if let Err(stop) = self.check_stack(program, size, None) {
            // The variable of a call has no line of its own.
            self.stand_at_call();
            return Err(stop);
        }
        let align = program.code.places[usize::from(place)].align;
        let Some(at) = self.own_address(program, (place, nth), size, align)? else {
            if size >= MAX_SIZE {
                return Err(too_large("a local variable", size));
            }
            self.waits.effect();
            self.stack += local_bytes(size);
            self.pending = Pending::Stack { to, place, size };
            let (contents, what) = (Contents::Uninitialised, u32::from(place));
            return act(Operation::Alloc { size, contents, what, storage: Storage::Local });
        };
        self.stack += local_bytes(size);
        let (bytes, depth) = (vec![0; size as usize], self.depth());
        self.memory.add(Private::key(at), Some((place, nth)), bytes, false, depth);
        self.forget_objects(at, size);
        self.set(to, at);
        Ok(())
    }

    /// The address of a new object that is this thread's own; none if it has to be the engine's.
    fn own_address(
        &self,
        program: &CProgram,
        which: (u16, u32),
        size: u64,
        align: u64,
    ) -> Result<Option<u64>, Stop> {
        match program.place_is_shared(which.0) {
            true => Ok(None),
            false => self.private_address(program, which, size, align),
        }
    }

    pub(super) fn allocate(
        &mut self,
        program: &CProgram,
        to: Reg,
        (size, align): (u64, u64),
        place: u16,
        zeroed: bool,
    ) -> Result<(), Stop> {
        if size >= MAX_SIZE {
            return Err(too_large("an allocation", size));
        }
        // What is no power of two is no alignment.
        let align = if align.is_power_of_two() { align } else { 1 };
        let made = match self.made.iter_mut().find(|(p, _)| *p == place) {
            Some((_, made)) => made,
            None => {
                self.made.push((place, 0));
                &mut self.made.last_mut().expect("just pushed").1
            }
        };
        let nth = *made;
        *made += 1;
        let Some(at) = self.own_address(program, (place, nth), size, align)? else {
            self.waits.effect();
            self.pending = Pending::Heap { to, size, align };
            let contents = if zeroed { Contents::Zeroed } else { Contents::Uninitialised };
            let what = u32::from(place);
            return act(Operation::Alloc { size, contents, what, storage: Storage::Heap });
        };
        self.waits.heap(Private::key(at), Changed::Allocated);
        let site = self.current_site(program);
        self.memory.add_to_heap(Private::key(at), vec![0; size as usize], zeroed, site);
        self.set(to, at);
        Ok(())
    }

    /// This thread's copy of a variable, made when it is first mentioned. The register behind says whether it still is to be
    /// given its initial value.
    pub(super) fn thread_local(
        &mut self,
        program: &CProgram,
        to: Reg,
        global: u32,
        place: u16,
    ) -> Result<(), Stop> {
        let global = &program.code.globals[global as usize];
        let name = &global.name;
        let size = global.initial.len() as u64;
        let align = program.code.places[usize::from(place)].align;
        self.set(to + 1, 0);
        if program.place_is_shared(place) {
            // Another thread has a pointer to one of them: they are memory of the engine's, which ends with the thread.
            let known = self.shared.iter().find(|local| local.depth == 0 && local.place == place);
            if let Some(&SharedLocal { address, .. }) = known {
                let at = self.seen_at(program, address, size, align)?;
                self.set(to, at);
                return Ok(());
            }
            if size >= MAX_SIZE {
                return Err(too_large("a thread-local variable", size));
            }
            self.waits.effect();
            self.pending = Pending::ThreadLocal { to, place, size };
            let (contents, what) = (Contents::Zeroed, u32::from(place));
            return act(Operation::Alloc { size, contents, what, storage: Storage::Local });
        }
        let Some(at) = self.private_address(program, (place, 0), size, align)? else {
            return Err(Stop::unsupported(format!(
                "there is no address left for the thread-local variable `{name}`: it is too large, or aligned too well"
            )));
        };
        let key = Private::key(at);
        if !self.memory.has(key) {
            self.memory.add(key, None, global.initial.clone(), true, 0);
        }
        self.set(to, at);
        Ok(())
    }

    pub(super) fn free(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        match address::decode(at) {
            Target::Nothing if at == 0 => Ok(()),
            Target::Private { key, offset } if self.has_object(program, key)? => {
                let place = program.code.places.get(usize::from(program.private(key).place));
                if let Some(place) = place.filter(|place| place.stack) {
                    return fail(
                        ViolationKind::InvalidFree,
                        format!("free of `{}`, a local variable", place.name),
                    );
                }
                if offset != 0 {
                    return fail(ViolationKind::InvalidFree, "free of an address inside an allocation");
                }
                self.waits.heap(key, Changed::Freed);
                match self.memory.remove(key) {
                    true => Ok(()),
                    false => fail(ViolationKind::DoubleFree, "memory is freed twice"),
                }
            }
            _ => {
                self.waits.effect();
                act(Operation::Free { address: program.engine(at), storage: Storage::Heap })
            }
        }
    }

    /// `va_start`: the arguments lie one after the other, as on the stack of the machine.
    pub(super) fn further_arguments(&mut self, program: &CProgram, list: u64) -> Result<(), Stop> {
        let count = usize::from(self.further);
        let end = self.registers.len();
        let values = self.registers[end - count..].to_vec();
        let place = program.code.places.len() as u16;
        if usize::from(place) >= address::MAX_PLACES {
            return Err(Stop::unsupported("the program has too many places that allocate memory"));
        }
        let nth = self.memory.next(place);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let Some(area) = self.private_address(program, (place, nth), bytes.len() as u64, 16)? else {
            return Err(Stop::unsupported("there are too many lists of arguments"));
        };
        let depth = self.depth();
        self.memory.add(Private::key(area), Some((place, nth)), bytes, true, depth);
        for (offset, width, value) in
            [(0, Width::B4, 48), (4, Width::B4, 176), (8, Width::B8, area), (16, Width::B8, 0)]
        {
            if !self.store_own(program, list.wrapping_add(offset), width, (value, 0))? {
                return Err(Stop::unsupported("a list of arguments is shared between threads"));
            }
        }
        Ok(())
    }
}

fn too_large(what: &str, size: u64) -> Stop {
    Stop::unsupported(format!("{what} of {size} bytes is too large for a check"))
}
