//! Objects: local variables, the heap, thread-local variables, lists of arguments.

use raveler_core::{Address, Contents, Operation, ViolationKind, Width};

use super::cursor::Pending;
use super::step::{Stop, act, fail, key_of};
use super::{CProgram, Cursor, Fact};
use crate::address::{self, MAX_NTH, MAX_PRIVATE_SIZE, MAX_SIZE, MAX_THREAD, Target};
use crate::code::Reg;

impl Cursor {
    pub(super) fn alloca(&mut self, program: &CProgram, to: Reg, size: u64, place: u16) -> Result<(), Stop> {
        let nth = self.memory.count(key_of(place, 0), key_of(place, MAX_NTH - 1));
        if program.place_is_shared(place)
            || self.thread >= MAX_THREAD
            || size > MAX_PRIVATE_SIZE
            || nth >= MAX_NTH
        {
            self.waits.effect();
            self.pending = Pending::Stack { to, place };
            return act(Operation::Alloc { size, contents: Contents::Uninitialised, what: u32::from(place) });
        }
        self.memory.add(key_of(place, nth), vec![0; size as usize], false, self.depth());
        let at = address::private(place, self.thread, nth);
        self.forget_objects(at, size);
        self.set(to, at);
        Ok(())
    }

    pub(super) fn allocate(
        &mut self,
        program: &CProgram,
        to: Reg,
        size: u64,
        place: u16,
        zeroed: bool,
    ) -> Result<(), Stop> {
        if size >= MAX_SIZE {
            return Err(Stop::unsupported(format!("an allocation of {size} bytes is too large for a check")));
        }
        let made = match self.made.iter_mut().find(|(p, _)| *p == place) {
            Some((_, made)) => made,
            None => {
                self.made.push((place, 0));
                &mut self.made.last_mut().expect("just pushed").1
            }
        };
        let nth = *made;
        *made += 1;
        if program.place_is_shared(place)
            || self.thread >= MAX_THREAD
            || size > MAX_PRIVATE_SIZE
            || nth >= MAX_NTH
        {
            self.waits.effect();
            self.pending = match program.code.reallocates {
                true => Pending::Sized { to, size },
                false => Pending::Register { to },
            };
            let contents = if zeroed { Contents::Zeroed } else { Contents::Uninitialised };
            return act(Operation::Alloc { size, contents, what: u32::from(place) });
        }
        self.waits.effect();
        let site = self.current_site(program);
        self.memory.add_to_heap(key_of(place, nth), vec![0; size as usize], zeroed, site);
        self.set(to, address::private(place, self.thread, nth));
        Ok(())
    }

    /// This thread's copy of a variable, made when it is first mentioned.
    pub(super) fn thread_local(
        &mut self,
        program: &CProgram,
        to: Reg,
        global: u32,
        place: u16,
    ) -> Result<(), Stop> {
        let global = &program.code.globals[global as usize];
        if program.place_is_shared(place) || self.thread >= MAX_THREAD {
            let name = &global.name;
            return Err(Stop::unsupported(format!(
                "another thread uses the thread-local variable `{name}` through a pointer; this is not supported"
            )));
        }
        let key = key_of(place, 0);
        if !self.memory.has(key) {
            self.memory.add(key, global.initial.clone(), true, 0);
        }
        self.set(to, address::private(place, self.thread, 0));
        Ok(())
    }

    pub(super) fn free(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        match address::decode(at) {
            Target::Nothing if at == 0 => Ok(()),
            Target::Private(private) => {
                if private.thread != self.thread {
                    program.learn(Fact::Place(private.place));
                    return act(Operation::Restart);
                }
                let key = key_of(private.place, private.nth);
                let place = &program.code.places[usize::from(private.place)];
                if place.stack {
                    return fail(
                        ViolationKind::InvalidFree,
                        format!("free of `{}`, a local variable", place.name),
                    );
                }
                if private.offset != 0 {
                    return fail(ViolationKind::InvalidFree, "free of an address inside an allocation");
                }
                self.waits.effect();
                match self.memory.remove(key) {
                    true => Ok(()),
                    false => fail(ViolationKind::DoubleFree, "memory is freed twice"),
                }
            }
            _ => {
                self.waits.effect();
                act(Operation::Free { address: Address(at) })
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
        let nth = self.memory.count(key_of(place, 0), key_of(place, MAX_NTH - 1));
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.memory.add(key_of(place, nth), bytes, true, self.depth());
        let area = address::private(place, self.thread, nth);
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
