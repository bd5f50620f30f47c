//! Addresses as programs see them: numbers below 2⁴⁷ that say by themselves what they point to.
//!
//! Programs cut pointers to 32 bits, tag their low and high bits, and hash them. So the low halves of the addresses at which
//! objects begin are all different and not zero; 16 bits above and 4 bits below are free. An address depends on the thread,
//! the place in the source and how many objects came before, on nothing else: workers and repeated searches agree.
//!
//! The bits above 32 are a *group*, from 1 on. Every group has the same areas, moved by some bytes that are the group's own
//! ([`skew`]); an area has slots of one size with an object in each. The object begins a quarter into its slot, so that
//! what lies near its ends is known to be outside of it, and not taken for another object.
//!
//! | area, from | slots | what |
//! |---|---|---|
//! | 0 | 256 of 512 KiB | global variables |
//! | 2²⁷ | 1 of 128 MiB | a large one |
//! | 2²⁸ | 16 bytes each | functions, in the first group |
//! | 3·2²⁷ | 16 bytes each | labels |
//! | 2²⁹ | 4 of 128 MiB | large objects of the engine: shared objects of the heap and of stacks |
//! | 2³⁰ | 64 of 8 MiB | large objects of one thread |
//! | 3·2²⁹ | 1024 of 512 KiB | objects of the engine |
//! | 2³¹ | 4096 of 512 KiB | objects of one thread |
//!
//! The engine has addresses of its own for what it allocates; see [`Engine`].

use raveler_core::Address;

/// Small objects are at most this large.
const SMALL: u64 = 1 << 18;
/// The largest object of one thread.
pub const MAX_PRIVATE_SIZE: u64 = 1 << 22;
/// All objects are smaller.
pub const MAX_SIZE: u64 = 1 << 26;
/// No object has more: pointers into it could not be subtracted.
pub const MOST_BYTES: u64 = i64::MAX as u64;
/// Places are numbered below this.
pub const MAX_PLACES: usize = 1 << 11;
/// Threads that other threads than the first started are numbered from here on.
pub const NESTED: u32 = 1 << 10;
/// Threads are numbered below this.
pub const MAX_THREADS: u32 = 1 << 11;

const GROUP_BITS: u32 = 15;
const FUNCTIONS: u64 = 1 << 28;
const LABELS: u64 = 3 << 27;

/// Slots of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    from: u64,
    /// Bits of the number of a slot in its group.
    slots: u32,
    /// Bits of the size of a slot.
    size: u32,
}

const GLOBALS: Area = Area { from: 0, slots: 8, size: 19 };
const LARGE_GLOBALS: Area = Area { from: 1 << 27, slots: 0, size: 27 };
const LARGE_ENGINE: Area = Area { from: 1 << 29, slots: 2, size: 27 };
const LARGE_PRIVATE: Area = Area { from: 1 << 30, slots: 6, size: 23 };
const ENGINE: Area = Area { from: 3 << 29, slots: 10, size: 19 };
const PRIVATE: Area = Area { from: 1 << 31, slots: 12, size: 19 };

impl Area {
    /// Where the object with this number begins; none if there are too many.
    fn address(self, number: u64) -> Option<u64> {
        let group = (number >> self.slots) + 1;
        let slot = number & ((1 << self.slots) - 1);
        let start = self.from + (slot << self.size) + (1 << self.size >> 2);
        // A slot that reaches into the next group is left out.
        let end = self.from + ((slot + 1) << self.size) + skew(group);
        (group >> GROUP_BITS == 0 && end <= 1 << 32).then(|| (group << 32) + skew(group) + start)
    }

    /// The number of the object and the offset into it, negative ones as they wrap, of an address in this group at this
    /// place of it.
    fn object(self, group: u64, at: u64) -> (u32, u64) {
        let within = at - self.from;
        let number = (group - 1) << self.slots | within >> self.size;
        let offset = (within & ((1 << self.size) - 1)).wrapping_sub(1 << self.size >> 2);
        (number as u32, offset)
    }
}

/// By how many bytes a group is moved: another number for each, and with many zeros at the end for the first ones, so that
/// ordinary programs have well aligned objects.
fn skew(group: u64) -> u64 {
    (group.reverse_bits() >> (64 - GROUP_BITS)) << 4
}

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
    Private {
        /// Which; [`Private::of`] says more.
        key: u32,
        /// Where in it.
        offset: u64,
    },
    /// Memory of the engine.
    Engine(Engine),
    /// A function.
    Function(u32),
    /// Nothing: a null pointer, or near one.
    Nothing,
    /// Nothing: no address at all.
    Wild,
}

/// Keys of large objects.
const LARGE_KEY: u32 = 1 << 27;

/// Look at an address.
#[inline]
pub fn decode(address: u64) -> Target {
    let group = address >> 32;
    if group == 0 {
        return if address < 1 << 19 { Target::Nothing } else { Target::Wild };
    }
    let low = address & 0xffff_ffff;
    let Some(at) = low.checked_sub(skew(group)).filter(|_| group >> GROUP_BITS == 0) else {
        return Target::Wild;
    };
    if at >= PRIVATE.from {
        let (key, offset) = PRIVATE.object(group, at);
        Target::Private { key, offset }
    } else if at >= ENGINE.from {
        let (number, offset) = ENGINE.object(group, at);
        Target::Engine(Engine { number, large: false, offset })
    } else if at >= LARGE_PRIVATE.from {
        let (number, offset) = LARGE_PRIVATE.object(group, at);
        Target::Private { key: number | LARGE_KEY, offset }
    } else if at >= LARGE_ENGINE.from {
        let (number, offset) = LARGE_ENGINE.object(group, at);
        Target::Engine(Engine { number, large: true, offset })
    } else if at >= FUNCTIONS {
        let number = at - FUNCTIONS;
        match at < LABELS && group == 1 && number.is_multiple_of(16) {
            true => Target::Function((number >> 4) as u32),
            false => Target::Wild,
        }
    } else {
        let area = if at >= LARGE_GLOBALS.from { LARGE_GLOBALS } else { GLOBALS };
        let (index, offset) = area.object(group, at);
        Target::Global { index, offset }
    }
}

/// Where a global variable of this size begins; none if there are too many.
pub fn global(index: u32, size: u64) -> Option<u64> {
    let area = if size <= SMALL { GLOBALS } else { LARGE_GLOBALS };
    area.address(u64::from(index))
}

/// The address of a function.
pub fn function(index: u32) -> u64 {
    (1 << 32) + skew(1) + FUNCTIONS + (u64::from(index) << 4)
}

/// The address of a label; none if the function has too many.
pub fn label(function: u32, block: u32) -> Option<u64> {
    let group = u64::from(function >> 9) + 1;
    let at = u64::from(function & 511) << 14 | u64::from(block);
    (block < 1 << 14 && group >> GROUP_BITS == 0).then(|| (group << 32) + skew(group) + LABELS + (at << 4))
}

/// An object of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Private {
    /// Where objects like it come from.
    pub place: u16,
    /// The number of the thread that has it.
    pub thread: u32,
    /// Which of that thread's.
    pub nth: u32,
}

impl Private {
    /// Where it begins, in a program whose places take so many bits; none if no address is left for it, or none so well
    /// aligned.
    pub fn address(self, place_bits: u32, size: u64, align: u64) -> Option<u64> {
        let area = if size <= SMALL { PRIVATE } else { LARGE_PRIVATE };
        let place = (u32::from(self.place), place_bits);
        let number = pack(area.slots + GROUP_BITS, place, self.thread, self.nth)?;
        area.address(number).filter(|&at| size <= MAX_PRIVATE_SIZE && is_aligned(at, align))
    }

    /// The object with a key.
    pub fn of(key: u32, place_bits: u32) -> Private {
        let area = if key & LARGE_KEY == 0 { PRIVATE } else { LARGE_PRIVATE };
        let number = u64::from(key & !LARGE_KEY);
        let (place, thread, nth) = unpack(area.slots + GROUP_BITS, place_bits, number);
        Private { place: place as u16, thread, nth }
    }

    /// The key of the object that begins at an address.
    pub fn key(address: u64) -> u32 {
        match decode(address) {
            Target::Private { key, .. } => key,
            _ => u32::MAX,
        }
    }
}

/// Where the object of one thread with this key begins.
pub fn start(key: u32) -> Option<u64> {
    let area = if key & LARGE_KEY == 0 { PRIVATE } else { LARGE_PRIVATE };
    area.address(u64::from(key & !LARGE_KEY))
}

/// An object that the engine allocated: by the thread and how many that thread had allocated before. The engine's own
/// address has the thread's name where this one has its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Engine {
    number: u32,
    large: bool,
    /// Where in it.
    pub offset: u64,
}

const NTH_BITS: u32 = 13;
const OFFSET_BITS: u32 = 26;

impl Engine {
    /// The thread of an address of the engine, by name, and how many objects that thread had allocated before.
    pub fn allocation(address: Address) -> (u64, u32) {
        let allocation = (address.0 & !Address::ALLOCATED) >> OFFSET_BITS;
        (allocation >> NTH_BITS, (allocation & ((1 << NTH_BITS) - 1)) as u32)
    }

    /// Where the program sees an object of the engine; none if no address is left for it, or none so well aligned.
    pub fn seen_at(thread: u32, nth: u32, size: u64, align: u64) -> Option<u64> {
        let area = if size <= SMALL { ENGINE } else { LARGE_ENGINE };
        let number = pack(area.slots + GROUP_BITS, (0, 0), thread, nth)?;
        area.address(number).filter(|&at| is_aligned(at, align))
    }

    /// The number of the thread, and how many objects that thread had allocated before.
    pub fn origin(self) -> (u32, u32) {
        let area = if self.large { LARGE_ENGINE } else { ENGINE };
        let (_, thread, nth) = unpack(area.slots + GROUP_BITS, 0, u64::from(self.number));
        (thread, nth)
    }

    /// The engine's address, if its thread has this name; none for what is outside of any object.
    pub fn address(self, name: u64) -> Option<Address> {
        let (_, nth) = self.origin();
        let start = name << NTH_BITS | u64::from(nth);
        let fits = nth < 1 << NTH_BITS && self.offset < 1 << OFFSET_BITS;
        fits.then_some(Address(Address::ALLOCATED | start << OFFSET_BITS | self.offset))
    }
}

/// An address of the engine at which there never is anything, for one of the program that is no address.
pub fn nowhere(address: u64) -> Address {
    Address(1 << 59 | address & ((1 << 47) - 1))
}

fn is_aligned(address: u64, align: u64) -> bool {
    align <= 1 || address.is_multiple_of(align)
}

/// One number of so many bits for a place, a thread and a count. Below are the bits that ordinary programs use, so that their
/// objects come from the first groups. A thread with a large number leaves fewer bits for the count.
fn pack(bits: u32, (place, place_bits): (u32, u32), thread: u32, nth: u32) -> Option<u64> {
    let few = thread < 1 << FEW_THREADS;
    let (thread_bits, nth_bits) = widths(bits, place_bits, few)?;
    if thread >> thread_bits != 0 || u64::from(nth) >> nth_bits != 0 || place >> place_bits != 0 {
        return None;
    }
    let low = nth_bits.min(3);
    let fields = [
        (u32::from(!few), 1),
        (thread & ((1 << FEW_THREADS) - 1), FEW_THREADS),
        (nth & ((1 << low) - 1), low),
        (place, place_bits),
        (thread >> FEW_THREADS, thread_bits - FEW_THREADS),
        (nth >> low, nth_bits - low),
    ];
    let join = |(number, at), (field, bits)| (number | u64::from(field) << at, at + bits);
    Some(fields.into_iter().fold((0, 0), join).0)
}

/// The reverse.
fn unpack(bits: u32, place_bits: u32, number: u64) -> (u32, u32, u32) {
    let few = number & 1 == 0;
    let Some((thread_bits, nth_bits)) = widths(bits, place_bits, few) else {
        return (u32::MAX, u32::MAX, u32::MAX);
    };
    let mut rest = number >> 1;
    let mut take = |bits: u32| {
        let field = rest & ((1 << bits) - 1);
        rest >>= bits;
        field as u32
    };
    let low = nth_bits.min(3);
    let (thread, nth, place) = (take(FEW_THREADS), take(low), take(place_bits));
    let thread = thread | take(thread_bits - FEW_THREADS) << FEW_THREADS;
    (place, thread, nth | take(nth_bits - low) << low)
}

/// Threads with numbers of so few bits have more objects.
const FEW_THREADS: u32 = 4;

/// Bits for the thread and for the count.
fn widths(bits: u32, place_bits: u32, few: bool) -> Option<(u32, u32)> {
    let thread = if few { FEW_THREADS } else { MAX_THREADS.trailing_zeros() };
    Some((thread, bits.checked_sub(1 + thread + place_bits)?))
}

/// The lock of atomic sections: no address that a program can see.
pub const SECTION: u64 = 1 << 58;

/// The engine's word for the size of an allocation of the engine.
pub fn size(address: Address) -> Address {
    Address::word_of_thread((address.0 & !Address::ALLOCATED) >> OFFSET_BITS, 3)
}

/// The engine's word for a thread's result.
pub fn result(thread: u64) -> Address {
    Address::word_of_thread(thread, 0)
}

/// The engine's word that counts how often a thread was woken.
pub fn bell(thread: u64) -> Address {
    Address::word_of_thread(thread, 1)
}

/// The engine's word for the lock of atomic sections.
pub fn section() -> Address {
    Address::word_of_thread(0, 2)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Some objects of every kind, with their addresses.
    fn addresses() -> Vec<u64> {
        let mut all: Vec<u64> = (0..3000).filter_map(|index| global(index, 8)).collect();
        all.extend((0..50).filter_map(|index| global(index, SMALL + 1)));
        all.extend((0..100).map(function));
        for thread in [0, 1, 2, 7, 8, 15, 16, 31, 1023, 1024, 2047] {
            for nth in (0..40).chain([1023, 8191]) {
                all.extend(Engine::seen_at(thread, nth, 64, 16));
                all.extend(Engine::seen_at(thread, nth, SMALL + 1, 16));
                for place in [0, 1, 2, 62, 63] {
                    let private = Private { place, thread, nth };
                    all.extend(private.address(6, 64, 16));
                    all.extend(private.address(6, MAX_PRIVATE_SIZE, 16));
                }
            }
        }
        all
    }

    #[test]
    fn low_halves_are_different_and_not_zero() {
        let all = addresses();
        let low: HashSet<u32> = all.iter().map(|&at| at as u32).collect();
        assert_eq!(low.len(), all.len());
        assert!(!low.contains(&0));
        assert!(all.iter().all(|&at| at < 1 << 47 && at.is_multiple_of(16)));
    }

    #[test]
    fn addresses_say_what_they_point_to() {
        for index in [0, 1, 254, 255, 256, 70_000] {
            for offset in [0, 8, 1000, 8u64.wrapping_neg()] {
                let at = global(index, 8).expect("not too many");
                assert_eq!(decode(at.wrapping_add(offset)), Target::Global { index, offset });
            }
        }
        assert_eq!(decode(global(3, SMALL + 1).expect("few") + 9), Target::Global { index: 3, offset: 9 });
        for place_bits in [4, 11] {
            for (place, thread, nth, size) in
                [(7, 3, 2, 8), (15, 0, 1023, 8), (0, 40, 15, 9), (3, 1, 31, 1 << 20)]
            {
                let private = Private { place, thread, nth };
                let at = private.address(place_bits, size, 16).expect("not too many");
                let Target::Private { key, offset } = decode(at + 12) else { panic!("{at:#x}") };
                assert_eq!((Private::of(key, place_bits), offset), (private, 12));
                assert_eq!(decode(at - 4), Target::Private { key, offset: 4u64.wrapping_neg() });
            }
        }
        assert_eq!(decode(function(9)), Target::Function(9));
        assert_eq!(decode(function(9) + 1), Target::Wild);
        assert_eq!(decode(0), Target::Nothing);
        assert_eq!(decode(0xdead_beef), Target::Wild);
        assert_eq!(decode(u64::MAX), Target::Wild);
    }

    #[test]
    fn objects_of_the_engine_are_found_again() {
        for (name, nth, size) in [(0, 0, 4), (1, 8191, 4), (5, 12, 1 << 25)] {
            let start = Address(Address::ALLOCATED | name << 39 | nth << 26);
            assert_eq!(Engine::allocation(start), (name, nth as u32));
            let at = Engine::seen_at(name as u32, nth as u32, size, 64).expect("not too many");
            let Target::Engine(engine) = decode(at + 2) else { panic!("{at:#x}") };
            assert_eq!(engine.address(name), Some(Address(start.0 + 2)));
            let Target::Engine(before) = decode(at - 1) else { panic!("{at:#x}") };
            assert_eq!(before.address(name), None);
        }
    }

    #[test]
    fn the_first_objects_are_well_aligned() {
        for (thread, nth, align) in [
            (0, 0, 1 << 16),
            (3, 100, 4096),
            (15, 1000, 4096),
            (15, 8191, 1024),
            (40, 7, 4096),
            (200, 100, 1024),
        ] {
            assert!(Engine::seen_at(thread, nth, 4096, align).is_some(), "{thread} {nth}");
        }
        for (thread, nth, align) in [(0, 0, 1 << 16), (15, 7, 1 << 14), (15, 500, 256), (40, 7, 512)] {
            assert!(Private { place: 9, thread, nth }.address(5, 64, align).is_some(), "{thread} {nth}");
        }
    }
}
