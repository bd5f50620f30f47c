//! What runs threads: their states, and what they ask for, resolved to locations, locks and numbers of threads.

pub(crate) mod resolve;
pub(crate) mod rwlock_try;
pub(crate) mod states;
pub(crate) mod tables;
