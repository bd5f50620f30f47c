//! Benchmarks: how many executions per second, how time and memory grow, what a second worker brings.
//!
//! Every run asserts its counts; times are printed and recorded, and decide nothing. benches/README.md says how to
//! read the results.

pub mod against;
pub mod c_instructions;
pub mod clock;
pub mod instructions;
pub mod locks;
pub mod machine;
pub mod memory;
pub mod peers;
pub mod record;
pub mod runs;
pub mod scaling;
pub mod sources;
pub mod speed;
pub mod workers;
pub mod xmm;

use std::io;
use std::path::PathBuf;

use machine::Machine;
use record::Measurement;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only what has this in its name.
    pub filter: String,
    /// How often each run is repeated; the median counts.
    pub repetitions: usize,
    /// Write the results to a file?
    pub record: bool,
    /// Count instructions instead of time?
    pub instructions: bool,
    /// Run the command beside this one of a peer, and nothing else?
    pub against: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options { filter: String::new(), repetitions: 3, record: false, instructions: false, against: None }
    }
}

impl Options {
    /// Is this part of what to run?
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}

/// Run what the options ask for, print it, and record it if they ask for that.
pub fn run(options: &Options) -> io::Result<()> {
    // Now, not at the end: the tree may change while this runs.
    let machine = Machine::here();
    let mut results: Vec<Measurement> = Vec::new();
    if let Some(peer) = &options.against {
        results.extend(against::run(options, peer)?);
    } else if options.instructions {
        results.extend(instructions::run(options)?);
        results.extend(c_instructions::run(options)?);
    } else {
        results.extend(speed::run(options));
        results.extend(sources::run(options));
        results.extend(locks::run(options));
        results.extend(xmm::run(options));
        results.extend(runs::run(options));
        results.extend(scaling::run(options));
        results.extend(workers::run(options));
        results.extend(memory::run(options));
    }
    if options.record {
        let path = record::write(&machine, &results)?;
        println!("\nrecorded in {}", path.display());
    }
    Ok(())
}
