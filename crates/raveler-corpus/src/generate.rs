//! The family files of the corpus: which sizes lie there, and how they are written again.
//!
//! The text of a file comes from its family; its `//@` lines belong to the file and are kept.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::families::{self, Subject};

/// The programs and parameters that lie in the corpus as files.
pub const COMMITTED: &[(&str, &[&str])] = &[
    ("ainc", &["N=3", "N=5", "N=7"]),
    ("binc", &["N=3", "N=4"]),
    ("cinc", &["N=3", "N=4"]),
    ("casrot", &["N=3", "N=6", "N=9"]),
    ("casw", &["N=3", "N=4", "N=5"]),
    ("rw", &["N=3", "N=4", "N=5"]),
    ("readers", &["N=3", "N=10"]),
    ("n_writers_a_reader", &["N=3", "N=6", "N=10"]),
    ("redundant_co", &["N=3", "N=5", "N=20"]),
    ("control_flow", &["N=4", "N=5", "N=12"]),
    ("reorder2", &["relaxed", "acq/rel"]),
    ("nreads", &["N=5"]),
    ("nwrites", &["N=5", "N=8"]),
    ("fib", &["NUM=1", "NUM=2", "NUM=3", "NUM=4", "NUM=2 relaxed", "NUM=3 relaxed"]),
    ("lbn", &["N=3", "N=10"]),
    ("lbn_ctrl", &["N=3", "N=10"]),
    ("lbn_data", &["N=3", "N=10"]),
    ("lbn_pairs", &["N=4", "N=10"]),
    ("dekker", &["R=1 LB=2", "R=1 LB=2 relaxed", "R=2 LB=2"]),
    ("peterson", &["R=1 LB=2", "R=1 LB=2 relaxed", "R=2 LB=2"]),
    ("lamport", &["R=1 LB=2", "R=1 LB=2 relaxed"]),
    ("szymanski", &["R=1 LB=2", "R=1 LB=2 relaxed", "R=1 LB=3"]),
    ("szymanski_x", &["N=1", "N=2"]),
    ("dekker_bnd", &[""]),
    (
        "ticket_mutex",
        &["threads=3 LB=2", "threads=3 LB=5", "threads=3 LB=10", "threads=3 LB=5 datum relaxed"],
    ),
    ("clh", &["threads=3 LB=3", "threads=3 LB=10"]),
    ("barrier", &["threads=3 LB=3", "threads=3 LB=10", "threads=4 LB=2"]),
    ("linux_rwlock", &["threads=2 LB=2", "threads=2 LB=2 relaxed", "threads=2 LB=6"]),
    ("linux_rwlock_one", &["LB=6"]),
    ("seqlock", &["writers=1 readers=2 LB=2", "writers=1 readers=2 LB=5"]),
    ("mpmc_queue_bnd", &["rdwr=2 LB=2", "rdwr=2 LB=5"]),
    ("stc", &[""]),
    ("treiber", &["N=2 failed tries count"]),
    ("dq", &[""]),
    ("chase_lev", &["thieves=1", "thieves=2"]),
];

/// One family file: its place under the corpus folder and what it is.
pub struct FamilyFile {
    /// Such as `litmus/families/fib/fib-3.litmus`.
    pub path: PathBuf,
    program: &'static str,
    parameters: &'static str,
}

impl FamilyFile {
    /// The file's text, with these `//@` lines.
    ///
    /// # Panics
    /// If [`COMMITTED`] names a program that is not a litmus text.
    pub fn render(&self, header: &str) -> String {
        match families::find(self.program, self.parameters) {
            Some(Subject::Litmus(text)) => {
                text.render(&families::name(self.program, self.parameters), header)
            }
            _ => panic!("{} {} is no litmus family", self.program, self.parameters),
        }
    }

    /// The lines of a new file, to be filled in by `bless`.
    fn new_header(&self) -> String {
        let models: Vec<&str> = raveler_core::Model::CAUSAL.iter().map(|model| model.name()).collect();
        let models = models.join(" ");
        format!(
            "//@ about: {} {}\n//@ from: measured\n//@ {models}: executions=0 holds=true\n//@ {models} --equivalence co: executions=0 holds=true\n",
            self.program, self.parameters
        )
    }
}

/// All family files.
pub fn family_files() -> impl Iterator<Item = FamilyFile> {
    COMMITTED.iter().flat_map(|&(program, sizes)| {
        sizes.iter().map(move |&parameters| {
            let name = format!("{}.litmus", families::name(program, parameters));
            let path = ["litmus", "families", program, &name].iter().collect();
            FamilyFile { path, program, parameters }
        })
    })
}

/// The `//@` lines of a file's text.
pub fn header(text: &str) -> String {
    text.lines().filter(|line| line.starts_with("//@")).map(|line| format!("{line}\n")).collect()
}

/// Write all family files under this corpus folder; the `//@` lines of those that are there are kept.
pub fn generate(corpus: &Path) -> io::Result<usize> {
    let mut written = 0;
    for file in family_files() {
        let path = corpus.join(&file.path);
        let old = fs::read_to_string(&path).ok();
        let header = old.as_deref().map_or_else(|| file.new_header(), header);
        let new = file.render(&header);
        if old.as_deref() != Some(&new) {
            fs::create_dir_all(path.parent().expect("the path ends in a file name"))?;
            fs::write(&path, new)?;
            written += 1;
        }
    }
    Ok(written)
}
