//! Small programs that catch a wrong variant of the search or of a model: the first that a mutant is shown.
//!
//! This file is long because it is a list of programs.

/// Name and text of each.
pub fn known() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    SEARCH.iter().chain(LOCKS).chain(SECTIONS).chain(MODELS).chain(BUFFERS)
}

/// What the size of store buffers decides.
const BUFFERS: &[(&str, &str)] = &[
    // Under TSO the store that is overtaken needs room for itself and the one behind it, under PSO for itself only.
    (
        "full-buffer",
        "locations x=0 y=0 z=0 a=0
         thread 0
           store x 1 relaxed
           store z 1 relaxed
           r0 = load y relaxed
         thread 1
           store y 1 relaxed
           store a 1 relaxed
           r0 = load x relaxed",
    ),
];

/// What a search that leaves critical sections unordered must not leave out or allow.
const SECTIONS: &[(&str, &str)] = &[
    // Accesses outside the sections order them.
    (
        "order-from-outside",
        "locations x=0 y=0
         locks 1
         thread 0
           store y 1 relaxed
           lock 0
           unlock 0
           r0 = load x relaxed
         thread 1
           store x 1 relaxed
           lock 0
           unlock 0
           r0 = load y relaxed",
    ),
    // Neither order of the two sections can be seen from what is inside them, and only one works.
    (
        "one-order-works",
        "locations x=0 y=0
         locks 1
         thread 0
           store y 2 relaxed
           lock 0
           unlock 0
           store x 2 relaxed
         thread 1
           lock 0
           r0 = load y relaxed
           r1 = load x relaxed
           unlock 0",
    ),
    // The second section must come first, but reads what the other one led to, through relaxed accesses.
    (
        "relaxed-circle",
        "locations x=0 y=0
         locks 1
         thread 0
           lock 0
           store x 1 relaxed
         thread 1
           lock 0
           r0 = load y relaxed
           unlock 0
         thread 2
           r0 = load x relaxed
           store y 2 relaxed",
    ),
    // The first thread is inside its section for ever, so nobody behind it sees what it wrote there.
    (
        "never-ends",
        "locations x=0 y=0
         locks 1
         thread 0
           spawn 2
           lock 0
           store x 1 relaxed
           join 2
           unlock 0
         thread 1
           lock 0
           r0 = load x relaxed
           unlock 0
         thread 2
           r0 = load y relaxed
           assume r0 == 1",
    ),
    // The first thread has to wait for ever for a lock that is kept because of what is not written yet.
    (
        "waits-for-those-to-come",
        "locations x=0 y=0
         locks 2
         thread 0
           lock 0
           unlock 0
         thread 1
           lock 0
           store x 1 relaxed
           r0 = load y relaxed
           if r0 == 1 {
             lock 1
             unlock 1
           }
           unlock 0
         thread 2
           lock 1
           store y 1 relaxed
           r0 = load x relaxed
           if r0 == 1 {
             lock 0
             unlock 0
           }
           unlock 1",
    ),
    // Whether the second thread writes x is seen only where the first one waits for that in vain.
    (
        "gone-past",
        "locations x=1 y=0
         locks 1
         thread 0
           lock 0
           r0 = load x relaxed
           r2 = load y relaxed
           store x 0 relaxed
           unlock 0
         thread 1
           lock 0
           store y 0 relaxed
           r1 = cas x 0 0 relaxed relaxed
           r3 = load y relaxed
           unlock 0",
    ),
    // Each thread reads what the other writes last.
    (
        "second-write-on-offer",
        "locations x=0 y=0 z=0
         locks 1
         thread 0
           r0 = load x relaxed
           store y 1 relaxed
         thread 1
           r0 = load y relaxed
           lock 0
           unlock 0
           store x 1 relaxed
           r1 = load z relaxed
           store x 2 relaxed",
    ),
    // A lock that is held does not keep others from writing before the section.
    (
        "written-before-the-section",
        "locations x=0 y=0
         locks 1
         thread 0
           lock 0
           r0 = load x relaxed
           unlock 0
           store y 1 relaxed
         thread 1
           r0 = load y relaxed
           lock 0
           store x 1 relaxed
           unlock 0",
    ),
    // Two locks in both orders.
    (
        "both-orders",
        "locations x=0
         locks 2
         thread 0
           lock 0
           lock 1
           unlock 1
           unlock 0
         thread 1
           lock 1
           lock 0
           unlock 0
           unlock 1",
    ),
    // The same where one of the locks is shared: nobody waits.
    (
        "both-orders-shared",
        "locations x=0
         locks 2
         thread 0
           readlock 0
           lock 1
           unlock 1
           unlock 0
         thread 1
           lock 1
           readlock 0
           unlock 0
           unlock 1",
    ),
    // Readers do not synchronise.
    (
        "readers-pass",
        "locations x=0 y=0
         locks 1
         thread 0
           store y 1 relaxed
           readlock 0
           unlock 0
           r0 = load x relaxed
         thread 1
           store x 1 relaxed
           readlock 0
           unlock 0
           r0 = load y relaxed",
    ),
    // Whether the thread is late or woken shows only where the other one rings its bell.
    (
        "late-or-woken",
        "locations x=0
         locks 1
         conditions 1
         thread 0
           lock 0
           r0 = await 0 0
           unlock 0
         thread 1
           signal 0",
    ),
    // The second section writes both at first, but not always.
    (
        "writes-less",
        "locations x=0 y=0 z=0
         locks 1
         thread 0
           lock 0
           r0 = load z relaxed
           r1 = load x relaxed
           unlock 0
         thread 1
           lock 0
           r0 = load y relaxed
           store x 1 relaxed
           if r0 == 0 {
             store z 1 relaxed
           }
           unlock 0
         thread 2
           store y 1 relaxed",
    ),
    // The same as the next one, with an assertion.
    (
        "impossible-assertion",
        "locations x=0 y=0 z=0 a=0 b=0 c=0
         locks 1
         thread 0
           lock 0
           r0 = load z acquire
           store x 1 release
           unlock 0
           if r0 == 0 {
             store a 1 release
           }
         thread 1
           lock 0
           r0 = load x acquire
           if r0 == 0 {
             store b 1 release
           }
           r1 = load y acquire
           store z 1 release
           unlock 0
         thread 2
           r0 = load b acquire
           r1 = load a acquire
           if r0 == 1 {
             assert r1 != 1
           }
           store c 1 relaxed
         thread 3
           r0 = load c relaxed
           store y 1 release",
    ),
    // A partial graph has both flags set, but no order of the sections: the plain writes do not race.
    (
        "impossible-race",
        "locations x=0 y=0 z=0 a=0 b=0 c=0 d=0
         locks 1
         thread 0
           lock 0
           r0 = load z acquire
           store x 1 release
           unlock 0
           if r0 == 0 {
             store a 1 release
           }
         thread 1
           lock 0
           r0 = load x acquire
           if r0 == 0 {
             store b 1 release
           }
           r1 = load y acquire
           store z 1 release
           unlock 0
         thread 2
           r0 = load b acquire
           r1 = load a acquire
           if r0 == 1 {
             if r1 == 1 {
               store c 1 plain
             }
           }
           store d 1 relaxed
         thread 3
           store c 1 plain
           r0 = load d relaxed
           store y 1 release",
    ),
];

/// What the search must not leave out or do twice.
const SEARCH: &[(&str, &str)] = &[
    // A revisited read is revisited again.
    (
        "second-revisit",
        "locations x=0
         thread 0
           r0 = load x relaxed
         thread 1
           store x 1 relaxed
           r0 = exchange x 1 relaxed",
    ),
    // An update that is not consistent in place still revisits.
    (
        "dropped-update",
        "locations x=0
         thread 0
           r0 = exchange x 1 relaxed
         thread 1
           r0 = add x 1 relaxed",
    ),
    // The read half of a revisiting update belongs to the part.
    (
        "update-in-part",
        "locations x=0
         thread 0
           store x 1 relaxed
           r0 = load x relaxed
         thread 1
           store x 2 relaxed
           r0 = exchange x 1 relaxed",
    ),
    // Nothing comes between a write and its update.
    (
        "update-split",
        "locations x=0
         thread 0
           r0 = exchange x 2 relaxed
         thread 1
           r0 = load x relaxed
           store x 1 relaxed
           r1 = load x relaxed",
    ),
    // The ranking of writes does not look at their age.
    (
        "youngest",
        "locations x=0
         thread 0
           r0 = load x relaxed
         thread 1
           r0 = load x relaxed
           store x 1 relaxed
         thread 2
           r0 = exchange x 2 relaxed
           r1 = exchange x 3 relaxed",
    ),
    // A deleted update is tested as an update.
    (
        "update-as-update",
        "locations x=0
         thread 0
           r0 = add x 1 relaxed
         thread 1
           r0 = cas x 1 2 relaxed relaxed
           store x 2 relaxed
         thread 2
           store x 1 relaxed",
    ),
    // A blocked thread may be the only parent of good executions.
    (
        "assume",
        "locations x=0
         thread 0
           r0 = load x relaxed
           assume r0 == 1
         thread 1
           store x 1 relaxed",
    ),
    // A revisited read keeps its place, and the write keeps it.
    (
        "moved-read",
        "locations x=0 y=0 z=0
         thread 0
           r0 = load x relaxed
         thread 1
           r0 = load y relaxed
           store x 2 relaxed
         thread 2
           r0 = load z relaxed
           store x 1 relaxed",
    ),
    // A write that an older read reads from stays.
    (
        "pinned",
        "locations x=0 y=0 z=0
         thread 0
           r0 = load x relaxed
         thread 1
           r0 = load y relaxed
         thread 2
           r0 = load z relaxed
           store y 1 relaxed
         thread 3
           r0 = load z relaxed
           store x 1 relaxed",
    ),
    // A choice that is deleted is explored elsewhere.
    (
        "choice",
        "locations x=0 y=0
         thread 0
           r0 = load x relaxed
           r1 = choose 0 1
         thread 1
           r0 = load y relaxed
           store x 1 relaxed",
    ),
];

/// The same with locks.
const LOCKS: &[(&str, &str)] = &[
    // A thread that waits for a lock does so by an event.
    (
        "lock-waits",
        "locations x=0
         locks 1
         thread 0
           r0 = load x relaxed
         thread 1
           lock 0
           unlock 0
         thread 2
           lock 0
           store x 1 relaxed
           unlock 0",
    ),
    // Three critical sections, in all orders.
    (
        "three-sections",
        "locations x=0
         locks 1
         thread 0
           lock 0
           r0 = load x relaxed
           store x 1 relaxed
           unlock 0
         thread 1
           lock 0
           r0 = load x relaxed
           store x 2 relaxed
           unlock 0
         thread 2
           lock 0
           r0 = load x relaxed
           unlock 0",
    ),
    // Two locks taken in opposite orders: a deadlock.
    (
        "opposite-orders",
        "locations x=0
         locks 2
         thread 0
           lock 0
           lock 1
           store x 1 relaxed
           unlock 1
           unlock 0
         thread 1
           lock 1
           lock 0
           r0 = load x relaxed
           unlock 0
           unlock 1",
    ),
    // The second thread's section lies before the third's, which only x tells; then the first thread, which saw the second
    // one's, has not seen y.
    (
        "behind-a-section",
        "locations x=0 y=0
         locks 1
         thread 0
           r0 = tryreadlock 0
           r1 = load y relaxed
         thread 1
           lock 0
           r1 = load x relaxed
           unlock 0
         thread 2
           r0 = tryreadlock 0
           if r0 == 1 {
             store y 0 relaxed
             unlock 0
           }
           r1 = tryreadlock 0
           store x 0 relaxed",
    ),
    // The cycle of seq_cst events goes through the unlock of the first section.
    (
        "section-end",
        "locations x=0 y=0
         locks 1
         thread 0
           store x 0 relaxed
         thread 1
           r0 = load y relaxed
           lock 0
           store x 0 seq_cst
           unlock 0
         thread 2
           lock 0
           store y 0 seq_cst
           r0 = load x relaxed
           unlock 0
         thread 3
           store y 0 seq_cst
           store x 0 seq_cst",
    ),
    // A lock that is tried while another waits.
    (
        "tried",
        "locations x=0
         locks 1
         thread 0
           lock 0
           store x 1 relaxed
           unlock 0
         thread 1
           r0 = trylock 0
           if r0 == 1 {
             unlock 0
           }
           r1 = load x relaxed",
    ),
    // Thread 1 waits for thread 2, thread 3 for thread 4. When thread 2 has released its lock and thread 4 has not, thread
    // 1 still waits for a holder that is gone; it must not be deleted from there.
    (
        "stale-waiter",
        "locations x=0 y=0
         locks 2
         thread 0
           r0 = load x relaxed
         thread 1
           lock 0
           unlock 0
         thread 2
           lock 0
           unlock 0
           r0 = load y relaxed
           store x 1 relaxed
         thread 3
           lock 1
           unlock 1
         thread 4
           lock 1
           store y 1 relaxed
           unlock 1",
    ),
];

/// What the models allow and forbid.
const MODELS: &[(&str, &str)] = &[
    // The order of seq_cst events follows reads-from in C++20.
    (
        "relaxed-write-read-by-seq-cst",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
         thread 1
           r0 = load x seq_cst
           r1 = load y seq_cst
         thread 2
           store y 1 seq_cst
           r0 = load x seq_cst",
    ),
    // What strongly happens before may begin with a step within one location in C++20,
    (
        "two-seq-cst-writes",
        "locations x=0 y=0
         thread 0
           store x 1 seq_cst
           store x 2 seq_cst
         thread 1
           r0 = load x acquire
           r1 = load y seq_cst
         thread 2
           store y 1 seq_cst
           r0 = load x seq_cst",
    ),
    // and end with one.
    (
        "acquire-then-seq-cst",
        "locations x=0 y=0
         thread 0
           r0 = load x acquire
           r1 = load x seq_cst
         thread 1
           store x 1 seq_cst
           r0 = load y seq_cst
         thread 2
           store y 2 seq_cst
           store x 3 release",
    ),
    // A spawn comes before all of its thread, not only the first event.
    (
        "spawn-and-load",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           spawn 1
         thread 1
           store x 1 relaxed
           r0 = load y relaxed",
    ),
    // A thread comes before its join.
    (
        "joined",
        "locations x=0
         thread 0
           spawn 1
           join 1
           r0 = load x plain
         thread 1
           store x 1 plain",
    ),
    // A plain access races with an atomic one.
    (
        "atomic-and-plain",
        "locations x=0
         thread 0
           store x 1 plain
         thread 1
           r0 = load x relaxed",
    ),
    // Loads overtake stores.
    (
        "store-buffers",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
           r0 = load y relaxed
         thread 1
           store y 1 relaxed
           r0 = load x relaxed",
    ),
    // Unless the stores are seq_cst; under rc11 everything has to be.
    (
        "store-buffers-seq-cst",
        "locations x=0 y=0
         thread 0
           store x 1 seq_cst
           r0 = load y seq_cst
         thread 1
           store y 1 seq_cst
           r0 = load x seq_cst",
    ),
    // Or a compare-exchange comes between, even one that fails.
    (
        "store-buffers-failed",
        "locations x=0 y=0 z=0
         thread 0
           store x 1 relaxed
           r0 = cas z 5 6 relaxed relaxed
           r1 = load y relaxed
         thread 1
           store y 1 relaxed
           r0 = cas z 5 6 relaxed relaxed
           r1 = load x relaxed",
    ),
    // A thread sees its own store before others do.
    (
        "own-stores",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
           r0 = load x relaxed
           r1 = load y relaxed
         thread 1
           store y 1 relaxed
           r0 = load y relaxed
           r1 = load x relaxed",
    ),
    // Stores of a thread to one location stay in order.
    (
        "two-stores",
        "locations x=0
         thread 0
           store x 1 relaxed
           store x 2 relaxed
         thread 1
           r0 = load x relaxed",
    ),
    // A release store read by an acquire load.
    (
        "message",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           store x 1 release
         thread 1
           r0 = load x acquire
           r1 = load y relaxed",
    ),
    // The same with fences.
    (
        "message-fences",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           fence release
           store x 1 relaxed
         thread 1
           r0 = load x relaxed
           fence acquire
           r1 = load y relaxed",
    ),
    // An update passes a message on.
    (
        "message-update",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           store x 1 release
         thread 1
           r0 = add x 1 relaxed
         thread 2
           r0 = load x acquire
           r1 = load y relaxed",
    ),
    // Under rc11 a later store of the thread passes it on too.
    (
        "message-same-thread",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           store x 1 release
           store x 2 relaxed
         thread 1
           r0 = load x acquire
           r1 = load y relaxed",
    ),
    // But only what the thread itself released, not what it passed on as an update.
    (
        "message-not-inherited",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           store x 1 release
         thread 1
           r0 = add x 1 release
           store x 5 relaxed
         thread 2
           r0 = load x acquire
           r1 = load y relaxed",
    ),
    // Two readers agree on the order of two seq_cst stores: hb at one location is part of scb.
    (
        "two-readers-seq-cst",
        "locations x=0 y=0
         thread 0
           store x 1 seq_cst
         thread 1
           store y 1 seq_cst
         thread 2
           r0 = load x seq_cst
           r1 = load y seq_cst
         thread 3
           r0 = load y seq_cst
           r1 = load x seq_cst",
    ),
    // The same of relaxed stores if fences come between the loads: hb; eco; hb between fences.
    (
        "two-readers-fences",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
         thread 1
           store y 1 relaxed
         thread 2
           r0 = load x relaxed
           fence seq_cst
           r1 = load y relaxed
         thread 3
           r0 = load y relaxed
           fence seq_cst
           r1 = load x relaxed",
    ),
    // A fence on one side, seq_cst accesses on the other.
    (
        "fence-and-accesses",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
           fence seq_cst
           r0 = load y relaxed
         thread 1
           store y 1 seq_cst
           r0 = load x seq_cst",
    ),
    // From one seq_cst access to another by a message at a third location.
    (
        "detour",
        "locations x=0 y=0 z=0
         thread 0
           store x 1 seq_cst
           store z 1 release
         thread 1
           r0 = load z acquire
           r1 = load y seq_cst
         thread 2
           store y 1 seq_cst
           r0 = load x seq_cst",
    ),
    // Both loads of y come after both stores of x, both loads of x after both stores of y. No order of the stores is
    // forced, and none is possible if all four are seen: saturation alone does not notice.
    (
        "both-changed",
        "locations x=0 y=0 z=0 a=0 b=0 c=0
         thread 0
           store x 1 relaxed
           store z 1 relaxed
           r0 = load a relaxed
           assume r0 == 1
           r1 = load y relaxed
         thread 1
           store x 2 relaxed
           store a 1 relaxed
           r0 = load z relaxed
           assume r0 == 1
           r1 = load y relaxed
         thread 2
           store y 1 relaxed
           store b 1 relaxed
           r0 = load c relaxed
           assume r0 == 1
           r1 = load x relaxed
         thread 3
           store y 2 relaxed
           store c 1 relaxed
           r0 = load b relaxed
           assume r0 == 1
           r1 = load x relaxed",
    ),
    // Two threads wait for a signal, and one of them is woken: the other one was given up when the signal was sent.
    (
        "one-of-two-woken",
        "locations
         locks 1
         conditions 1
         thread 0
           lock 0
           await 0 0
         thread 1
           lock 0
           await 0 0
         thread 2
           signal 0",
    ),
    // A reader does not stand in the way of one that tries to read.
    (
        "readers-together",
        "locations
         locks 1
         thread 0
           r0 = tryreadlock 0
         thread 1
           readlock 0
           lock 0",
    ),
];
