//! Mutants that may survive, and why.

use raveler_core::mutation::Mutant;

/// Why a mutant may survive.
#[derive(Clone, Copy, Debug)]
pub enum Excuse {
    /// It changes nothing that can be seen; the text says what implies what it leaves out.
    Equivalent(&'static str),
    /// It changes something, but no program small enough for a judge is known that shows it.
    NotKnown(&'static str),
}

/// All of them.
pub const EXCUSES: &[(Mutant, Excuse)] = &[
    (
        Mutant::SourceIgnored,
        Excuse::Equivalent(
            "what PinnedIgnored leaves out implies it. The clause rejects a read that would be deleted together with its \
             source, where the source is younger. A read is older than its source only after a revisit, which pins the \
             source; it stays pinned until this read, the only older one (a write revisits one read), is deleted or reads \
             something else. The scan goes from young to old and meets the source first: not in the past of the \
             revisiting write, but pinned. That ends the scan before it comes to the read.",
        ),
    ),
    (
        Mutant::CanonicalAsRead,
        Excuse::Equivalent(
            "as an update a read may not see a write that another update of the part took, as a plain read it may. But \
             that other update follows the write in every coherence order, and the canonical write is one that no other \
             must follow.",
        ),
    ),
    (
        Mutant::StoppedIgnored,
        Excuse::Equivalent(
            "a section that must come before one that has stopped is not asked whether that is possible when it is opened,              but with its next event, or at the end, where every order is tried if a section is still open. It only              takes longer.",
        ),
    ),
    (
        Mutant::SpawnsGoRound,
        Excuse::NotKnown(
            "a cycle of program order and reads-from comes about where a read takes a promise, and all reads that do must \
             be committed together: what is built has a committed read on such a cycle whether this is asked or not. Only \
             another read of a promised write could close a cycle without one, and no program shows that.",
        ),
    ),
    (
        Mutant::NextBesideLocks,
        Excuse::NotKnown(
            "the thread of the newest event is a function of the graph with its stamps, and these follow from the graph. What \
             is lost is that an unlock which a thread waits for, and a write that ends a wait, come last, which spares \
             explorations; judges do not look at their number.",
        ),
    ),
    (
        Mutant::FailedWitnessKept,
        Excuse::NotKnown(
            "the order that is kept is tried again where an event may make it fail, and nearly every event of a section may, \
             so that one which does not work is found out before anything is built on it.",
        ),
    ),
    (
        Mutant::RankedByStamp,
        Excuse::NotKnown(
            "the rank decides only between writes that nothing orders and that no other must follow. Stamps depend on the \
             choices that are tested, so the rank must not; since the canonical write prefers later ones, no random \
             program showed it.",
        ),
    ),
];

/// The excuse of a mutant.
pub fn of(mutant: Mutant) -> Option<Excuse> {
    EXCUSES.iter().find(|(known, _)| *known == mutant).map(|(_, excuse)| *excuse)
}
