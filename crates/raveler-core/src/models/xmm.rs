//! XMM (docs/xmm.md): load buffering without values out of thin air.
//!
//! An execution of XMM is one of RC20, or it is made of one of XMM by *re-execution*: some of its events are
//! committed in advance, and the program is executed again around them.

use super::{Axiom, Base, rc20};

/// What every graph of XMM keeps, whether made by execution or by re-execution: the axioms of RC20 without
/// no-thin-air.
pub fn consistent(base: &Base) -> Result<(), Axiom> {
    rc20::axioms(base)
}
