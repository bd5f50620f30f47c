//! Exceptions: from a throw through the calls around it to where it is caught.
//!
//! A throw first looks whether anything catches the exception; where nothing does, nothing is unwound. Then calls end one by
//! one, with their variables, up to the next place where the exception lands: it is caught there, or destructors run and it
//! goes on. Memory, reference counts and nesting of exceptions are the affair of `raveler_exceptions.h`.

use raveler_core::{FailurePlace, Operation, SiteId, Storage, ViolationKind};

use super::cursor::{Pending, SharedLocal};
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::code::{Clause, Ending, Pad};
use crate::types::{ANY, Types, UNEXPECTED, number};

/// An exception that is not caught yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Flight {
    /// The object; 0 for what `pthread_exit` unwinds with.
    pub exception: u64,
    /// The address of its `typeinfo`; the thread's result, for `pthread_exit`.
    pub ty: u64,
    /// What it was caught as where it landed last: type, and the number by which code asks.
    caught_as: (u64, u64),
    /// Where it was thrown.
    thrown: SiteId,
}

/// A handler begins within so many instructions.
const HANDLER: usize = 16;

/// So many exceptions that a thread caught are told in a report.
const TOLD: usize = 4;

/// How it is said where no more is known.
pub(crate) const TERMINATED: &str = "`std::terminate` is called";

impl Cursor {
    /// An exception is thrown.
    pub(super) fn raise(&mut self, program: &CProgram, exception: u64, ty: u64) -> Result<(), Stop> {
        if exception == 0 {
            return self.fly_on(program, exception);
        }
        let thrown = self.current_site(program);
        let flight = Flight { exception, ty, caught_as: (0, 0), thrown };
        if self.lands(program, &flight)? {
            return self.fly(program, flight);
        }
        let name = Types(&program.code).name(ty);
        let leaves = match self.thread {
            0 => "leaves `main`",
            _ => "leaves the thread's function",
        };
        fail(
            ViolationKind::Other,
            format!("an exception of type `{name}` is thrown that nothing catches: it {leaves}"),
        )
    }

    /// An exception that landed goes on.
    pub(super) fn fly_on(&mut self, program: &CProgram, exception: u64) -> Result<(), Stop> {
        let at = self.rare.flights.iter().rposition(|flight| flight.exception == exception);
        let Some(at) = at else {
            return Err(Stop::unsupported("an exception goes on that was not thrown here"));
        };
        if exception == 0 {
            let result = self.rare.flights[at].ty;
            return self.leave_thread(program, result);
        }
        self.rare_mut().unwinding = Some(at as u32);
        self.unwind(program)
    }

    /// `pthread_exit`: the calls around this one end first, with their destructors.
    pub(super) fn leave_thread(&mut self, program: &CProgram, result: u64) -> Result<(), Stop> {
        let flight =
            Flight { exception: 0, ty: result, caught_as: (0, 0), thrown: self.current_site(program) };
        if self.lands(program, &flight)? {
            self.rare_mut().flights.retain(|flight| flight.exception != 0);
            return self.fly(program, flight);
        }
        if self.closes(program, Ending::Thread)? {
            return Ok(());
        }
        self.end(program, (result, 0), Ending::Thread)
    }

    /// Does any call around this one catch it? For `pthread_exit` it is enough if something is to be done there.
    fn lands(&self, program: &CProgram, flight: &Flight) -> Result<bool, Stop> {
        let calls = self.calls_around().map(|frame| (frame.function, frame.pc));
        for call in std::iter::once((self.function, self.pc)).chain(calls) {
            if let Some(pad) = pad(program, call)
                && (pad.cleanup && flight.exception == 0 || caught(program, pad, flight)?.is_some())
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fly(&mut self, program: &CProgram, flight: Flight) -> Result<(), Stop> {
        let rare = self.rare_mut();
        rare.flights.push(flight);
        rare.unwinding = Some(rare.flights.len() as u32 - 1);
        self.unwind(program)
    }

    /// End calls up to where the exception lands. An action for each variable that other threads use, after which this
    /// goes on.
    pub(super) fn unwind(&mut self, program: &CProgram) -> Result<(), Stop> {
        let flight = self.rare.unwinding.and_then(|at| self.rare.flights.get(at as usize)).copied();
        let (Some(at), Some(flight)) = (self.rare.unwinding, flight) else { return Ok(()) };
        loop {
            if let Some(pad) = pad(program, (self.function, self.pc)) {
                let caught_as = caught(program, pad, &flight)?;
                if caught_as.is_some() || pad.cleanup {
                    self.rare_mut().flights[at as usize].caught_as = caught_as.unwrap_or((0, 0));
                    self.pc = pad.target;
                    return Ok(());
                }
            }
            let depth = self.depth();
            self.get_back();
            if let Some(&SharedLocal { depth: owner, address, .. }) = self.shared.last()
                && owner >= depth
            {
                self.shared.pop();
                self.pending = Pending::Unwinding;
                return act(Operation::Free { address, storage: Storage::Local });
            }
            let Some(frame) = self.frames.pop() else {
                return Err(Stop::unsupported("an exception leaves the thread that was to be caught"));
            };
            self.memory.leave(depth);
            self.waits.leave(depth);
            self.rounds.leave(depth);
            self.registers.truncate(self.base as usize);
            self.leave_unknown();
            (self.function, self.pc, self.base, self.further, self.stack) =
                (frame.function, frame.pc, frame.base, frame.further, frame.stack);
        }
    }

    /// The exception that landed here, and the number of what it is caught as.
    pub(super) fn landed(&mut self) -> (u64, u64) {
        let Some(at) = self.rare.unwinding else { return (0, 0) };
        self.rare_mut().unwinding = None;
        self.rare.flights.get(at as usize).map_or((0, 0), |flight| (flight.exception, flight.caught_as.1))
    }

    /// The type of the handler in which an exception landed; it is caught if it is `done`.
    pub(super) fn caught_as(&mut self, program: &CProgram, exception: u64, done: bool) -> u64 {
        let at = self.rare.flights.iter().rposition(|flight| flight.exception == exception);
        let Some(at) = at else { return 0 };
        let flight = self.rare.flights[at];
        if !done {
            return flight.caught_as.0;
        }
        // A thread that leaves must go on leaving: the handler can only rethrow it.
        if exception != 0 {
            self.rare_mut().flights.remove(at);
        }
        let here = self.handler(program);
        let caught = std::rc::Rc::make_mut(&mut self.caught);
        caught.push((flight.thrown, here));
        if caught.len() > TOLD {
            caught.remove(0);
        }
        flight.caught_as.0
    }

    /// Where the handler begins that just caught something: clang gives the call of the library the line of what it wrote
    /// before, and only what follows its own.
    fn handler(&self, program: &CProgram) -> SiteId {
        let mut calls = self.calls_around().map(|frame| (frame.function, frame.pc));
        let foreign = |&(function, pc): &(u32, u32)| {
            let sites = &program.code.functions[function as usize].sites;
            let site = sites.get((pc as usize).saturating_sub(1)).copied().unwrap_or(SiteId::NONE);
            site == SiteId::NONE || program.is_foreign(site)
        };
        let Some((function, pc)) = calls.find(|call| !foreign(call)) else { return SiteId::NONE };
        let sites = &program.code.functions[function as usize].sites;
        let call = sites[pc as usize - 1];
        let next =
            sites.iter().skip(pc as usize).take(HANDLER).find(|&&site| site != call && site != SiteId::NONE);
        next.copied().unwrap_or(call)
    }

    /// An exception cannot go on.
    pub(super) fn terminate(&mut self, program: &CProgram, exception: u64) -> Result<(), Stop> {
        let flight = self.rare.flights.iter().rfind(|flight| flight.exception == exception);
        let Some(flight) = flight else {
            return fail(ViolationKind::Other, TERMINATED);
        };
        let message = match exception {
            0 => "`pthread_exit` in a function that is `noexcept`: `std::terminate` is called".into(),
            _ => {
                let name = Types(&program.code).name(flight.ty);
                format!(
                    "an exception of type `{name}` leaves a function that is `noexcept`, or a destructor while \
                     another exception is on its way: `std::terminate` is called"
                )
            }
        };
        let related = vec![FailurePlace { role: "thrown", site: flight.thrown }];
        act(Operation::Fail { kind: ViolationKind::Other, message, related })
    }

    /// What to say instead, if the library calls `std::terminate` for a reason that is known.
    pub(super) fn why_terminated(&self, program: &CProgram, message: &str) -> Option<String> {
        if message != TERMINATED {
            return None;
        }
        let of_threads = |site: &SiteId| {
            let file = program.code.sources.site(*site).and_then(|site| site.file.as_deref());
            file.is_some_and(|file| file.ends_with("/std_thread.h") || file.ends_with("/thread"))
        };
        let calls = std::iter::once(self.function).chain(self.calls_around().map(|frame| frame.function));
        let mut functions = calls.map(|call| &program.code.functions[call as usize]);
        let ours = functions
            .find(|f| matches!(&*f.name, "~thread" | "operator=") && f.sites.iter().any(of_threads))?;
        let what = if &*ours.name == "~thread" { "destroyed" } else { "assigned to" };
        Some(format!("a `std::thread` is {what} that was neither joined nor detached: {TERMINATED}"))
    }

    /// What a report should say of exceptions that the thread caught before.
    pub(super) fn told(&self) -> impl Iterator<Item = FailurePlace> {
        let place = |role, site| FailurePlace { role, site };
        self.caught.iter().flat_map(move |&(thrown, caught)| {
            [place("threw an exception", thrown), place("caught it", caught)]
        })
    }
}

/// Where exceptions land that leave this call.
fn pad(program: &CProgram, (function, pc): (u32, u32)) -> Option<&Pad> {
    let at = pc.checked_sub(1)?;
    let pads = &program.code.functions[function as usize].pads;
    pads.iter().find(|pad| (pad.calls.0..pad.calls.1).contains(&at))
}

/// Is this exception caught here, and as what?
fn caught(program: &CProgram, pad: &Pad, flight: &Flight) -> Result<Option<(u64, u64)>, Stop> {
    let types = Types(&program.code);
    let catches = |wanted: u64| match flight.exception {
        0 => Ok(types.is_forced(wanted)),
        _ => types.catches(flight.ty, wanted).map_err(|ty| {
            Stop::unsupported(format!(
                "an exception is thrown of a type that raveler does not provide: `{}`",
                types.name(ty)
            ))
        }),
    };
    for clause in &pad.clauses {
        match clause {
            Clause::Catch(wanted) => {
                if catches(*wanted)? {
                    return Ok(Some((*wanted, if *wanted == 0 { ANY } else { number(*wanted) })));
                }
            }
            Clause::Filter(types) => {
                let mut allowed = flight.exception == 0;
                for &ty in types {
                    allowed |= catches(ty)?;
                }
                if !allowed {
                    return Ok(Some((0, UNEXPECTED)));
                }
            }
        }
    }
    Ok(None)
}
