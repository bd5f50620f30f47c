//! Parts of a location.

/// Which bytes of a location an access means, where memory is accessed in different sizes (docs/engine.md, "Parts of a
/// location").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// All of them.
    Whole,
    /// A load of these, one bit each. Loads of different parts are not coherence-ordered with each other.
    Bytes(u8),
    /// All of them, read or written to change a part.
    Changed,
}

impl Part {
    /// The bytes, one bit each.
    #[inline]
    pub fn bytes(self) -> u8 {
        match self {
            Part::Bytes(bytes) => bytes,
            Part::Whole | Part::Changed => u8::MAX,
        }
    }
}
