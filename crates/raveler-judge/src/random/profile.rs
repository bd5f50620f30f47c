//! The kinds of random programs.

/// What a random program is rich in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// Loads, stores, updates, fences and branches of all orders.
    Mixed,
    /// Mostly updates, on one location.
    Updates,
    /// Weak compare-exchanges that fail for no reason.
    WeakCas,
    /// No updates.
    NoUpdates,
    /// Mostly `seq_cst`.
    SeqCst,
    /// Many fences.
    Fences,
    /// Release stores, relaxed stores of the same thread, updates, acquire reads, fences.
    ReleaseSequences,
    /// Plain accesses besides atomic ones.
    Plain,
    /// Assumptions about what was read.
    Assume,
    /// Threads that wait until they read what they want.
    Wait,
    /// Threads started and awaited by others.
    Spawn,
    /// Nondeterministic choices.
    Choose,
    /// Critical sections, nested ones too.
    Locks,
    /// Critical sections, many of them entered by trylock.
    TryLocks,
    /// Reader-writer locks, many of them tried.
    TriedReadLocks,
    /// All of it but trylocks.
    Everything,
    /// More and larger critical sections, nested and overlapping, of up to three locks.
    Sections,
    /// The same with locks that readers share.
    ReadLocks,
    /// Threads that wait for condition variables and wake each other.
    Conditions,
    /// Critical sections, some of them shared, and assertions.
    Assertions,
    /// Critical sections of two or three locks; which locks are taken inside depends on what was read.
    Detours,
    /// Memory that one thread allocates and another frees, with or without something that orders its uses.
    Memory,
    /// The same with locks that lie in this memory.
    MemoryLocks,
    /// Cycles that the order of `seq_cst` events forbids or not, as their accesses and fences are.
    ScOrder,
    /// Loads before stores on crossing locations, all relaxed, with branches and values that flow.
    LoadBuffering,
    /// The same with other orders and fences.
    LoadBufferingOrders,
    /// The same with updates, some of them of other orders.
    LoadBufferingUpdates,
    /// The same with threads that are started and awaited in the middle.
    LoadBufferingThreads,
    /// The same with critical sections.
    LoadBufferingLocks,
    /// The same with locks that readers share.
    LoadBufferingReadLocks,
}

impl Profile {
    /// All of those that are for every model.
    pub const ALL: [Profile; 24] = [
        Profile::Mixed,
        Profile::Updates,
        Profile::WeakCas,
        Profile::NoUpdates,
        Profile::SeqCst,
        Profile::Fences,
        Profile::ReleaseSequences,
        Profile::Plain,
        Profile::Assume,
        Profile::Wait,
        Profile::Spawn,
        Profile::Choose,
        Profile::Locks,
        Profile::TryLocks,
        Profile::TriedReadLocks,
        Profile::Everything,
        Profile::Sections,
        Profile::ReadLocks,
        Profile::Conditions,
        Profile::Assertions,
        Profile::Detours,
        Profile::Memory,
        Profile::MemoryLocks,
        Profile::ScOrder,
    ];

    /// Those for XMM.
    pub const XMM: [Profile; 6] = [
        Profile::LoadBuffering,
        Profile::LoadBufferingOrders,
        Profile::LoadBufferingUpdates,
        Profile::LoadBufferingThreads,
        Profile::LoadBufferingLocks,
        Profile::LoadBufferingReadLocks,
    ];

    /// The one with this name.
    pub fn named(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().chain(Profile::XMM).find(|profile| profile.name() == name)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Mixed => "mixed",
            Profile::Updates => "updates",
            Profile::WeakCas => "weak-cas",
            Profile::NoUpdates => "no-updates",
            Profile::SeqCst => "seq-cst",
            Profile::Fences => "fences",
            Profile::ReleaseSequences => "release-sequences",
            Profile::Plain => "plain",
            Profile::Assume => "assume",
            Profile::Wait => "wait",
            Profile::Spawn => "spawn",
            Profile::Choose => "choose",
            Profile::Locks => "locks",
            Profile::TryLocks => "try-locks",
            Profile::TriedReadLocks => "tried-read-locks",
            Profile::Everything => "everything",
            Profile::Sections => "sections",
            Profile::ReadLocks => "read-locks",
            Profile::Conditions => "conditions",
            Profile::Assertions => "assertions",
            Profile::Detours => "detours",
            Profile::Memory => "memory",
            Profile::MemoryLocks => "memory-locks",
            Profile::ScOrder => "sc-order",
            Profile::LoadBuffering => "lb",
            Profile::LoadBufferingOrders => "lb-orders",
            Profile::LoadBufferingUpdates => "lb-updates",
            Profile::LoadBufferingThreads => "lb-threads",
            Profile::LoadBufferingLocks => "lb-locks",
            Profile::LoadBufferingReadLocks => "lb-read-locks",
        }
    }
}
