//! The engine against the definition.
