//! What an address points to, written into the address itself.
//!
//! | bits | what |
//! |---|---|
//! | 63 | memory that the engine allocated: shared objects of the heap and of stacks |
//! | 62 | words of the engine: the state of a mutex or condition variable, the result of a thread, its bell |
//! | 61 | memory of one thread: the object's place (49..60), the thread (32..49), which of that place's (22..32), offset |
//! | 60 | a function (its number from bit 4 on), or with bit 40 a label in one: function from bit 14 on, block |
//! | else | a global variable: its number + 1 from bit 26 on, offset below; small numbers are null pointers |

use raveler_core::Address;

const DYNAMIC: u64 = Address::ALLOCATED;
const WORD: u64 = Address::WORDS;
const PRIVATE: u64 = 1 << 61;
const FUNCTION: u64 = 1 << 60;
const GLOBAL_SHIFT: u32 = 26;

/// The largest object of one thread.
pub const MAX_PRIVATE_SIZE: u64 = 1 << 22;
/// The largest object anywhere.
pub const MAX_SIZE: u64 = 1 << 26;
/// Places are numbered below this.
pub const MAX_PLACES: usize = 1 << 11;
/// How many objects of one place a thread can have.
pub const MAX_NTH: u32 = 1 << 10;
/// Threads with larger names have no memory of their own.
pub const MAX_THREAD: u64 = 1 << 17;

/// What an address points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A global variable.
    Global {
        /// Which.
        index: u32,
        /// Where in it.
        offset: u64,
    },
    /// An object of one thread.
    Private(Private),
    /// Memory of the engine.
    Dynamic,
    /// A function.
    Function(u32),
    /// Nothing: a null pointer, or near one.
    Nothing,
    /// Nothing: no address at all.
    Wild,
}

/// An object of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Private {
    /// Where objects like it come from.
    pub place: u16,
    /// Whose it is.
    pub thread: u64,
    /// Which of that thread's.
    pub nth: u32,
    /// Where in it.
    pub offset: u64,
}

/// Look at an address.
#[inline]
pub fn decode(address: u64) -> Target {
    if address & DYNAMIC != 0 {
        Target::Dynamic
    } else if address & PRIVATE != 0 && address & WORD == 0 {
        Target::Private(Private {
            place: (address >> 49) as u16 & (MAX_PLACES as u16 - 1),
            thread: address >> 32 & (MAX_THREAD - 1),
            nth: (address >> 22) as u32 & (MAX_NTH - 1),
            offset: address & (MAX_PRIVATE_SIZE - 1),
        })
    } else if address & FUNCTION != 0 {
        match address & !FUNCTION {
            rest if rest < 1 << 36 && rest & 15 == 0 => Target::Function((rest >> 4) as u32),
            _ => Target::Wild,
        }
    } else if address >> GLOBAL_SHIFT >= 1 << 32 {
        Target::Wild
    } else {
        match (address >> GLOBAL_SHIFT) as u32 {
            0 => Target::Nothing,
            index => Target::Global { index: index - 1, offset: address & (MAX_SIZE - 1) },
        }
    }
}

/// Where a global variable begins.
pub fn global(index: u32) -> u64 {
    (u64::from(index) + 1) << GLOBAL_SHIFT
}

/// Where an object of one thread begins.
pub fn private(place: u16, thread: u64, nth: u32) -> u64 {
    PRIVATE | u64::from(place) << 49 | thread << 32 | u64::from(nth) << 22
}

/// The address of a function.
pub fn function(index: u32) -> u64 {
    FUNCTION | u64::from(index) << 4
}

/// The lock of atomic sections; no function has this address.
pub const SECTION: u64 = FUNCTION | 8;

/// The address of a label; none if the function has too many.
pub fn label(function: u32, block: u32) -> Option<u64> {
    (block < 1 << 14 && function < 1 << 26)
        .then_some(FUNCTION | 1 << 40 | u64::from(function) << 14 | u64::from(block))
}

/// The engine's word for the lock or condition variable at this address.
pub fn lock(address: u64) -> Address {
    if address == SECTION { Address::word_of_thread(0, 2) } else { Address(address).word() }
}

/// The engine's word for the size of an allocation.
pub fn size(address: u64) -> Address {
    Address::word_of_thread((address & !DYNAMIC) >> GLOBAL_SHIFT, 3)
}

/// The engine's word for a thread's result.
pub fn result(thread: u64) -> Address {
    Address::word_of_thread(thread, 0)
}

/// The engine's word that counts how often a thread was woken.
pub fn bell(thread: u64) -> Address {
    Address::word_of_thread(thread, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_say_what_they_point_to() {
        let inside = private(7, 3, 2) + 12;
        assert_eq!(decode(inside), Target::Private(Private { place: 7, thread: 3, nth: 2, offset: 12 }));
        assert_eq!(decode(global(4) + 8), Target::Global { index: 4, offset: 8 });
        assert_eq!(decode(function(9)), Target::Function(9));
        assert_eq!(decode(0), Target::Nothing);
        assert_eq!(decode(DYNAMIC | 40), Target::Dynamic);
    }
}
