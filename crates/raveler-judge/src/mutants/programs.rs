//! Small programs that catch a wrong variant of the search or of a model: the first that a mutant is shown.

/// Name and text of each.
pub const KNOWN: &[(&str, &str)] = &[
    // A revisited read keeps its place.
    (
        "moved-read",
        "locations x=0
         thread 0
           r0 = load x relaxed
         thread 1
           store x 2 relaxed
         thread 2
           store x 1 relaxed",
    ),
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
        "blocks",
        "locations x=0
         thread 0
           store x 1 relaxed
           r0 = cas x 2 2 relaxed relaxed
         thread 1
           r0 = exchange x 1 relaxed",
    ),
    // The ranking of writes does not look at their age.
    (
        "ranked",
        "locations x=0
         thread 0
           r0 = cas x 1 1 relaxed relaxed
         thread 1
           store x 1 relaxed
         thread 2
           store x 1 relaxed
           r0 = exchange x 1 relaxed",
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
    // A later write inherits what the earlier one released, not what that got as an update.
    (
        "sequence-of-update",
        "locations x=0 y=0
         thread 0
           store y 1 relaxed
           store x 1 release
         thread 1
           r0 = add x 1 relaxed
           store x 5 relaxed
         thread 2
           r0 = load x acquire
           r1 = load y relaxed",
    ),
    // A lock that is held is waited for by an event.
    (
        "lock-waits",
        "locations y=0
         locks 1
         thread 0
           r0 = load y relaxed
         thread 1
           lock 0
           unlock 0
         thread 2
           lock 0
           store y 1 relaxed
           unlock 0",
    ),
    // Three critical sections.
    (
        "three-locks",
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
        "two-locks",
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
    // A choice may be deleted only if it was the first one.
    (
        "choice",
        "locations x=0
         thread 0
           r0 = load x relaxed
         thread 1
           r0 = choose 0 1
           store x r0+1 relaxed",
    ),
    // A choice beside a revisit.
    (
        "choice-beside",
        "locations x=0
         thread 0
           r0 = load x relaxed
         thread 1
           r0 = choose 0 1
         thread 2
           store x 1 relaxed",
    ),
    // A join after its thread.
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
    // Each reader of y comes after both writes of x and the other way round: no order of the writes is forced, and
    // none is possible if both values of both locations are seen.
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
];
