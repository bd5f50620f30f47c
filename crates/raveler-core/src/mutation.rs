//! Deliberate mistakes, one at a time, to see that the judges notice them: with the feature `mutants` only.
//!
//! Each is one clause of the search or of an axiom left out or turned round. Without the feature
//! `Mutant::is_active` is the constant `false` and costs nothing.

macro_rules! mutants {
    ($($name:ident $about:literal,)*) => {
        /// A mistake that can be switched on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mutant {
            $(#[doc = $about] $name,)*
        }

        impl Mutant {
            /// All of them.
            pub const ALL: &[Mutant] = &[$(Mutant::$name,)*];

            /// What it does wrong.
            pub fn about(self) -> &'static str {
                match self {
                    $(Mutant::$name => $about,)*
                }
            }
        }
    };
}

mutants! {
    PinnedIgnored "a write that an older read reads from may be deleted",
    SourceIgnored "a read whose source is deleted too may be deleted",
    CanonicalIgnored "any read may be deleted, whatever it reads (rf)",
    RankedByStamp "the canonical write is the youngest (rf)",
    CoherenceLastIgnored "any access may be deleted, wherever it stands in coherence (co)",
    ChoiceIgnored "any choice may be deleted, whatever was chosen",
    NoRevisitFromDropped "an update that is not consistent in place revisits nobody",
    PartWithoutUpdate "the read half of a revisiting update is left out of the part (rf)",
    CanonicalAsRead "a deleted update is tested as a plain read (rf)",
    NoSecondRevisit "a revisited read is not revisited again",
    ReadMoved "a revisited read is moved behind the write, which is not kept for it any more",
    RivalSpared "an update does not revisit the update that took its source",
    RivalKept "an update whose source was taken is thought to revisit nothing (co)",
    NextBesideLocks "a thread that can go on without reading is the next one again, also where others wait for what it does",
    LockExpectationIgnored "any lock event may be deleted, whatever it saw",
    NoBlocks "updates are not kept next to the write they read (rf)",
    ForcedIgnored "what a read was shown does not order writes (rf)",
    FloorIgnored "an access may look behind what it was shown (co)",
    AtomicitySplit "a write may come between a write and its update (co)",
    LastWriteFree "any write can be the last one (rf)",
    ReadRuleIgnored "w1 before r, r reads w2, does not order w1 before w2 (sc, tso, pso; rf)",
    WriteRuleIgnored "w1 before w2, r reads w1, does not order r before w2 (sc, tso, pso; rf)",
    NewestIsLast "a new write comes before no other one (sc, tso, pso; co)",
    FromReadIgnored "a read does not come before the next write (sc, tso, pso; co)",
    OwnWriteIgnored "a thread may miss its own write (tso, pso)",
    OwnReadOrdered "a read of an own store is ordered after it (tso, pso)",
    LoadsWait "loads do not overtake stores (tso, pso)",
    SameLocationFree "stores to one location may leave in any order (pso)",
    BarrierIgnored "a release store is no store-store barrier (pso)",
    ReleaseFenceIgnored "a release fence is no store-store barrier (pso)",
    ScStoreUnfenced "a seq_cst store is not followed by a fence (tso, pso)",
    FailedCasUnlocked "a compare-exchange that fails is an ordinary load (tso, pso)",
    SpawnOnceOrdered "a spawn comes before the first event of its thread only (tso, pso)",
    BoundTooLarge "a buffer holds one store more than it may (tso, pso; bound)",
    BoundTooSmall "a buffer holds one store less than it may (tso, pso; bound)",
    BoundPerThread "one bound for all buffers of a thread (pso; bound)",
    BoundUnnoticed "a bound that keeps executions out is not noticed (tso, pso; bound)",
    CompletionIgnored "writes left unordered are assumed to be orderable (sc, tso, pso; rf)",
    AcquireFenceUnheard "an acquire fence receives nothing (rc11, rc20)",
    ReleaseFenceUnsent "a write behind a release fence sends nothing (rc11, rc20)",
    UpdateChainCut "an update does not pass a message on (rc11, rc20)",
    SameThreadCut "later writes of the thread do not continue a release sequence (rc11)",
    SameThreadWhole "a later write inherits the whole message of the earlier one (rc11)",
    PscIgnored "seq_cst events need no common order (rc11, rc20)",
    PscWithoutFences "seq_cst fences take part in psc as accesses only (rc11, rc20)",
    PscWithoutHb "scb has no hb between accesses of one location (rc11)",
    PscWithoutDetour "psc has no po; hb; po (rc11, rc20)",
    PscWithoutEco "psc between fences has no hb; eco; hb (rc11, rc20)",
    ScOrderOfRc11 "seq_cst events have the order of RC11 (rc20)",
    ScOrderExceptsLocation "psc has no po; hb; po that begins or ends within one location (rc20)",
    ScOrderWithoutReadsFrom "psc follows co and fr, but not the rest of eco (rc20)",
    SpawnUnordered "a spawn does not happen before its thread (rc11, rc20)",
    JoinUnordered "a thread does not happen before its join (rc11, rc20)",
    RacesEverywhere "accesses in order race too",
    RacesNowhere "an atomic access does not race with a plain one",
    AllocationUnordered "an allocation need not happen before the uses of its memory (rc11, rc20)",
    SectionsUnordered "a section that comes before another orders nothing (aware)",
    OneOrderTried "of two sections only one order is tried (aware)",
    PastIgnored "reads-from and the order of sections may form a circle (aware; rc11, rc20)",
    OpenNotLast "a section that never ends may lie before others (aware)",
    NeverPostponed "a read reads only what is there (aware)",
    AlwaysTaken "a postponed read takes the first write that it can (aware)",
    ClosedByHolding "a lock that is held closes all locations, accessed or not (aware)",
    NeverKept "nobody waits for a lock for ever (aware)",
    SourcesThere "who is to keep a lock has nothing to read that is still to be written (aware)",
    SeenRoundsIgnored "a thread that waits after a round that was seen is not followed further (c)",
    NewestWaitGivenUp "a source that leaves a thread waiting is not tried although none overwrites it (c)",
    WaiterGivenUp "a thread that waits is given up as soon as what it waits for is written (spins)",
    SectionsAlike "a section writes all that it wrote the first time (aware)",
    EndsAwaited "what a section does not write is known only when it ends (aware)",
    DroppedAtOnce "nobody goes on behind a thread that is dropped (aware)",
    EndsIgnored "where a section ends makes no difference to seq_cst events (aware; rc11, rc20)",
    AlwaysBehind "nothing comes behind a new event, whatever sections it lies in (aware)",
    RivalsAssumed "a section that has only read keeps others from reading the same and writing (aware)",
    ReadsForceNothing "a read leaves the order of sections as it was (aware)",
    OpenIsUntouched "a section that is open may come behind all others, whatever happened in it (aware)",
    FailedWitnessKept "an order of sections that did not work is kept (aware)",
    RaisedUnseen "an edge between sections shows accesses nothing more (aware; ra, rc11, rc20; rf)",
    StoppedIgnored "a new section can always be the last one (aware)",
    ReadersMissed "who wants to read a lock finds readers in its way (aware)",
    HeldForEver "who releases a lock that is tried does not say so (aware)",
    ReadersExclude "readers exclude each other (aware)",
    FreedLocksIgnored "a lock in memory that was freed may be taken and released (aware)",
    UnlockUnchecked "a thread may release a lock that it does not hold",
    DestroyUnchecked "a lock may be destroyed while it is used, and used after it",
    InitialiseUnchecked "a lock may be initialised while it is used, and twice",
    WakingIsReturning "a call that has woken a thread has returned",
    FreeUnchecked "memory may be freed while it is used",
    UninitialisedAllowed "memory that nothing was written to may be read",
    CycleIgnored "threads that wait for each other's locks are no deadlock",
    WaitsForEver "a thread that waits does so for ever, whatever else is written",
    ExitIgnored "threads that wait when main has returned are reported (c)",
    UnluckyIsStuck "threads that wait are stuck, even if they could go on by taking other turns (c)",
    LeftLoopIsStuck "a thread that can leave its loop waits there if it gets stuck later (c)",
    ShortCutSynchronises "a failed try is dropped for an earlier read that synchronises more (c)",
    ShortCutOverEffects "a failed try is dropped for a read before an effect (c)",
    ShortCutOutside "a failed try is dropped outside of its loop (c)",
    CallsAlike "two calls of a function are one loop (c)",
    LastVisitOnly "only the last visit of a loop head is compared with (c)",
    StoreIsNoEffect "a store is no effect in a waiting loop (c)",
    UpdateIsNoEffect "a read-modify-write is no effect in a waiting loop (c)",
    OwnMemoryIgnored "what a thread has in its own memory does not matter to a waiting loop (c)",
    RegistersIgnored "what a thread has in registers does not matter to a waiting loop (c)",
    HeldIgnored "the locks that a thread holds do not matter to a waiting loop (c)",
    ReleaseIgnored "a waiting loop may release what was taken before it (c)",
    NeverSpared "a futile round is cut whatever it reads (c)",
    TryNeverSpared "a failed try is dropped whatever was read before it (c)",
    FreeDisturbsNobody "memory is never freed while a futile round may read it (c)",
    WritesDisturbNobody "memory is never written while a futile round may read it plainly, or plainly (c)",
    EarlierDisturbanceForgotten "what was written before a futile round that reads it is not remembered (c)",
    LaterDisturbanceIgnored "a futile round was cut, and what it reads is written or freed later: no restart (c)",
    KnownRoomIgnored "a state that was reached before is right whatever an allocation's size is now (c)",
    KnownCutTaken "a failed try that comes back to the same answers takes its first short cut whatever the reads see (c)",
    LocalsOutliveExit "local variables outlive a thread that calls pthread_exit (c)",
    LowHalvesAreZero "an address that is cut to 32 bits is zero (c)",
    CrowdUnseen "as many threads use a barrier as it waits for (c)",
    OneSerial "the first of a group is always told to be the serial one (c)",
    ArrivalIsNoUse "a barrier may be destroyed while threads come to it (c)",
    BarrierUnordered "what comes before a barrier does not happen before what comes after it (c)",
    TwinsFree "twins make their first updates in any order, if one after the other (c)",
    ArgumentsIgnored "twins may have different arguments (c)",
    JoinsIgnored "twins may be joined one by one (c)",
    IdentityIgnored "twins may know their names (c)",
    OtherWritesIgnored "what twins update first may be written meanwhile (c)",
    CountsBeside "a counter may be read while it is counted (c)",
    CountsBeforeWrites "a counter may be written while it is counted (c)",
    CountsBeforeStores "a store that happens before a count has left its buffer (pso, c)",
    KindsMixed "additions to a counter and other updates of it need no order (c)",
    CountsHandOn "what happens after an acquiring count need not happen after all counts (c)",
    CountsBeforeFences "an acquire fence hears nothing of the counts before it (c)",
    CountsLost "a read of a counter does not see what was counted (c)",
    CountIsNoUse "a counter may be freed while it is counted (c)",
    StoresAreUnseen "no other thread sees what a round that is left out stores (c)",
    CountsAreUnseen "an update in no order does not see what a round that is left out stores (c)",
    StoresAreOver "a thread that knows of a store at the beginning of a round knows of the next round's, too (c)",
    ShortCutOverOwnStore "a failed try that saw its own store is a short cut (c)",
    StoresAnywhere "a round that is left out may store behind its reads (c)",
    NobodyComes "a thread that waits at a barrier does nothing more that others wait for (aware, c)",
    BarrierOfOneGroup "a barrier lets everybody through once its first group is full (c)",
    OutsideExcludes "accesses outside of atomic sections exclude each other where some lie inside (c)",
    ShortCutToItself "a failed try is dropped for an earlier read that saw the same write (c)",
    WriterUncommitted "what a committed read reads need not be committed (xmm)",
    CommittedOrderFree "committed writes may be ordered otherwise in the source (xmm)",
    CommittedRpoFree "rpo between committed events may be otherwise in the source (xmm)",
    CommittedNotClosed "what is rpo-before a committed event need not be committed (xmm)",
    CauseIgnored "what leads from one committed event to another needs no cause in the source (xmm)",
    ThreadsGoRound "threads may read from each other in a circle by uncommitted reads (xmm)",
    SpawnsGoRound "program order and uncommitted reads may go round (xmm)",
    OneWayCommitted "of the ways to end a cycle only the first is committed (xmm)",
    PlacesKept "a committed event has the same place in its thread in the source (xmm)",
    OneRound "only executions without cycles are sources (xmm)",
    RaceOverOneLocation "a race must lead over an edge on another location to count (xmm)",
    CyclesWithoutPsc "seq_cst events of executions with cycles need no common order (xmm)",
    BlockedForgotten "blocked executions are no sources (xmm)",
    HalvesTogether "the halves of an update are committed together (xmm)",
    RefusedForgotten "a read that was refused a promise may turn out to need it (xmm)",
    IdlePromises "a read may take a promise although it does not lead to the write (xmm)",
    CountedAgain "an execution is counted in each round that builds it (xmm)",
    CirclesOverThree "a cycle is taken to need edges on three locations (xmm)",
    OneWayCovered "an execution with a cycle is no source if one way to leave out an edge of the cycle is known (xmm)",
    CircleTooSoon "threads wait in a circle although others may still write what they wait for (xmm)",
    OrdersTogether "if one coherence order of an execution with a cycle is justified, all of them are sources (xmm)",
    SectionsUnheard "a lock of an execution with a cycle does not happen after the sections that it follows (xmm)",
    FollowedUncommitted "the ends of sections that a committed lock follows need not be committed (xmm)",
    LocksNeverWait "a lock that could be taken does not wait for further sections (xmm)",
    OfferedToReaders "a shared lock that is waited for is offered the ends of shared sections, too (xmm)",
    OtherOrdersForgotten "an execution with a cycle ends only as its first coherence order does (xmm, rf)",
    MistakesBelieved "what looks wrong is reported without asking whether it can happen (aware)",
    ServedLoadsCommute "a load that its buffer serves commutes with what other threads write (interleavings)",
    ForwardingLost "a load does not see its thread's buffer (interleavings)",
    SleepersStay "a step that was tried is not tried again even after one that it depends on (interleavings)",
    EndsCommute "frees commute with what other threads do with the memory, even if they are seen to conflict (interleavings)",
    LeftRunsUnasked "where a run is left, threads that wait for locks do not race for them (interleavings)",
    PrioritiesKept "no process falls behind (interleavings; pct)",
    WorkerForgotten "which thread is at work does not matter to what was seen (interleavings; preemptions)",
    EpochsIgnored "a store may leave its buffer before stores of older epochs (interleavings)",
}

impl Mutant {
    /// Is this mistake being made?
    #[inline(always)]
    pub fn is_active(self) -> bool {
        #[cfg(feature = "mutants")]
        return switch::active() == Some(self);
        #[cfg(not(feature = "mutants"))]
        false
    }
}

#[cfg(feature = "mutants")]
mod switch {
    use super::Mutant;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);

    pub(super) fn active() -> Option<Mutant> {
        Mutant::ALL.get(ACTIVE.load(Ordering::Relaxed)).copied()
    }

    impl Mutant {
        /// Make this mistake from now on, in the whole process; with `None`, none.
        pub fn activate(mutant: Option<Mutant>) {
            let number = mutant.and_then(|m| Mutant::ALL.iter().position(|&other| other == m));
            ACTIVE.store(number.unwrap_or(usize::MAX), Ordering::Relaxed);
        }
    }
}
