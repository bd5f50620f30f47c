//! One execution, as an observer sees it: cheap to look at, turned into plain data on demand.

use crate::action::Value;
use crate::id::Address;
use crate::outcome::Witness;
use crate::program::Program;

/// An execution at a leaf of the search.
pub struct Execution<'a, P: Program> {
    pub(crate) program: &'a P,
}

/// All the ways the shown locations can end: one row of values per possible combination of last writes,
/// without duplicates, in the order of the addresses asked for.
pub type FinalWrites = Vec<Vec<Value>>;

impl<P: Program> Execution<'_, P> {
    /// How many threads it has.
    pub fn threads(&self) -> usize {
        self.program.threads() as usize
    }

    /// Where a thread stands at the end (with its registers, for front-ends that show them).
    pub fn cursor(&self, _thread: usize) -> &P::Cursor {
        unimplemented!()
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        0
    }

    /// The final values of these locations. Under `rf` an execution can end in several ways (contract.md §2).
    pub fn finals(&self, _addresses: &[Address]) -> FinalWrites {
        unimplemented!()
    }

    /// The execution as plain data.
    pub fn witness(&self) -> Witness {
        Witness::default()
    }
}
