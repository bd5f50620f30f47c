//! Condition variables, in the operations that front-ends make of them.
//!
//! A condition variable is a word with one bit for each thread that waits, and each thread has a *bell*, a word that counts
//! how often it was woken. Who waits sets its bit, releases the mutex, waits until its bell has rung as often as it
//! waited, and takes the mutex again. Who notifies takes one bit (any; which one is chosen before) or all of them out of
//! the word and rings the bells. Who waits with a time limit chooses to be late, and takes its own bit out, or to be woken.
//! A choice that turns out not to fit is *dropped*: another one shows what happens.

/// One operation on such a word. All are relaxed; all but [`Operation::Hear`] are updates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operation {
    /// Begin to wait.
    Enlist { place: u8, bit: u8 },
    /// Stop waiting, being late.
    Withdraw { place: u8, bit: u8 },
    /// Has the own bell rung?
    Hear { place: u8, timed: bool },
    /// Take one who waits out of the word, or all.
    Take { place: u8, all: bool },
    /// Ring a bell; the first thread's is at this place.
    Ring { first: u8 },
}

/// What a thread must know of its waiting and waking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Standing {
    /// How often it waited.
    pub awaited: u8,
    /// Which of those who wait it will take.
    pub picked: u8,
    /// Whose bells it has to ring.
    pub ringing: u8,
    /// It does not go on.
    pub halted: Option<Halt>,
}

/// Why a thread does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halt {
    /// Its bell has not rung.
    Unheard,
    /// It chose what does not fit.
    Dropped,
}

impl Operation {
    /// Where it acts.
    pub fn place(self, at: &Standing) -> u8 {
        match self {
            Operation::Enlist { place, .. }
            | Operation::Withdraw { place, .. }
            | Operation::Hear { place, .. }
            | Operation::Take { place, .. } => place,
            Operation::Ring { first } => first + at.ringing.trailing_zeros() as u8,
        }
    }

    /// What it writes after reading `old`; none if it only reads.
    pub fn change(self, at: &Standing, old: i64) -> Option<i64> {
        match self {
            Operation::Enlist { bit, .. } => Some(old | 1 << bit),
            Operation::Withdraw { bit, .. } => Some(old & !(1 << bit)),
            Operation::Hear { .. } => None,
            Operation::Take { all: true, .. } => (old != 0).then_some(0),
            Operation::Take { .. } => taken(old, at.picked).map(|bit| old & !(1 << bit)),
            Operation::Ring { .. } => Some(old + 1),
        }
    }

    /// Does it hear its bell, or can it wait no longer?
    pub fn is_heard(self, at: &Standing, read: i64) -> bool {
        !matches!(self, Operation::Hear { .. }) || read == i64::from(at.awaited)
    }
}

impl Standing {
    /// After an operation that read this.
    pub fn resume(&mut self, operation: Operation, read: i64) {
        match operation {
            Operation::Enlist { .. } => self.awaited += 1,
            Operation::Withdraw { bit, .. } => {
                self.awaited -= 1;
                // Somebody woke it before: it should not have chosen to be late.
                self.halt(read >> bit & 1 == 0, Halt::Dropped);
            }
            Operation::Hear { timed, .. } => {
                let halt = if timed { Halt::Dropped } else { Halt::Unheard };
                self.halt(!operation.is_heard(self, read), halt);
            }
            Operation::Take { all: true, .. } => self.ringing = read as u8,
            Operation::Take { .. } => match taken(read, self.picked) {
                Some(bit) => self.ringing = 1 << bit,
                // If nobody waits there is one way to take nobody.
                None => self.halt(self.picked > 0, Halt::Dropped),
            },
            Operation::Ring { .. } => self.ringing &= self.ringing - 1,
        }
    }

    fn halt(&mut self, halts: bool, halt: Halt) {
        if halts {
            self.halted = Some(halt);
        }
    }
}

/// The bit with this number among those that are set.
fn taken(set: i64, number: u8) -> Option<u32> {
    (0..8).filter(|bit| set >> bit & 1 == 1).nth(number as usize)
}
