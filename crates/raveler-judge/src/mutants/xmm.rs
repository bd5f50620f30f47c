//! Mistakes in the search for XMM: programs that are judged by the definition, the rows of `corpus/xmm` with their
//! numbers, and random programs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use raveler_core::{Equivalence, XmmRules};
use raveler_corpus::xmm::measure::compare;
use raveler_corpus::xmm::table::{Row, Rules, rows};

use super::hunt::{Kill, aside};
use crate::campaign::{Campaign, guarded};
use crate::program::TestProgram;
use crate::random;
use crate::xmm::{Limits, Notes, against_engine};

/// Rows with more executions than this take too long.
const MOST_EXECUTIONS: u64 = 3_000;

/// The rules that rows are searched with.
const RULES: Rules = Rules::Xmm(XmmRules::Default);

/// Programs for mistakes that no row shows.
const PROGRAMS: &[(&str, &str)] = &[
    // No two threads read from each other, but one reads before it starts what the other reads.
    (
        "spawn-behind-a-read",
        "locations x=0 y=0
         thread 0
           spawn 1
           r0 = load y relaxed
           spawn 2
         thread 1
           r0 = load x relaxed
           store y 1 release
         thread 2
           store x 1 relaxed",
    ),
    // The execution with a cycle comes from one in which an assumption fails.
    (
        "blocked-source",
        "locations x=0 y=0
         thread 0
           r0 = load x relaxed
           store y 1 relaxed
           assume r0 == 1
         thread 1
           r0 = load y relaxed
           store x r0 relaxed",
    ),
    // Fences have the writes of z committed; in what can be executed again 2 comes last.
    (
        "order-of-committed",
        "locations x=0 y=0 z=0
         thread 0
           store z 1 relaxed
           fence seq_cst
           r0 = load y relaxed
           if r0 == 0 {
             r1 = load z relaxed
             assume r1 == 2
           }
           store x 1 relaxed
         thread 1
           store z 2 relaxed
           fence seq_cst
           r0 = load x relaxed
           store y r0 relaxed",
    ),
    // The same, and a thread that sees which of them comes last: by rf the execution with a cycle in which nothing is
    // seen has both orders, but only one of them is justified.
    (
        "order-of-source",
        "locations x=0 y=0 z=0
         thread 0
           store z 1 relaxed
           fence seq_cst
           r0 = load y relaxed
           if r0 == 0 {
             r1 = load z relaxed
             assume r1 == 2
           }
           store x 1 relaxed
         thread 1
           store z 2 relaxed
           fence seq_cst
           r0 = load x relaxed
           store y r0 relaxed
         thread 2
           r0 = load z relaxed
           r1 = load z relaxed",
    ),
    // Where the promised write is made it closes a cycle of fences, too.
    (
        "fences-around",
        "locations x=0 y=0 z=0
         thread 0
           store z 2 relaxed
           fence seq_cst
           r0 = load y relaxed
           store x 1 relaxed
         thread 1
           store x 2 relaxed
           fence seq_cst
           store z 1 relaxed
         thread 2
           r0 = load x relaxed
           store y r0 relaxed",
    ),
    // In a circle the first thread's section comes after the second one's, too.
    (
        "sections-in-both-orders",
        "locations x=0 y=0
         locks 1
         thread 0
           lock 0
           unlock 0
           r0 = load x relaxed
           store y 1 relaxed
         thread 1
           readlock 0
           unlock 0
           r0 = load y relaxed
           store x 1 relaxed",
    ),
    // Two readers in a circle wait for a writer, not for each other.
    (
        "readers-before-and-after",
        "locations x=0 y=0
         locks 1
         thread 0
           readlock 0
           unlock 0
           r0 = load x relaxed
           store y 1 relaxed
         thread 1
           readlock 0
           unlock 0
           r0 = load y relaxed
           store x 1 relaxed
         thread 2
           lock 0
           unlock 0",
    ),
    // The second section shows what was written before the first.
    (
        "message-by-sections",
        "locations x=0 y=0 z=0
         locks 1
         thread 0
           store z 1 relaxed
           readlock 0
           unlock 0
           r0 = load x relaxed
           store y 1 relaxed
         thread 1
           lock 0
           unlock 0
           r1 = load z relaxed
           r0 = load y relaxed
           store x 1 relaxed",
    ),
    // The third thread's section comes before the second one's, whose lock is committed: then so is the load of z, which
    // sees a value that only the circle makes.
    (
        "followed-sections-committed",
        "locations x=0 y=0 z=0
         locks 1
         thread 0
           r0 = load x relaxed
           store y 1 relaxed
           store z r0 relaxed
         thread 1
           lock 0
           unlock 0
           r0 = load y relaxed
           store x 1 relaxed
         thread 2
           r0 = load z relaxed
           readlock 0
           unlock 0",
    ),
];

/// The programs, smallest first.
pub struct XmmPrograms {
    rows: Vec<Arc<Row>>,
    known: Vec<(&'static str, TestProgram)>,
}

impl XmmPrograms {
    /// The tables of the corpus and the programs above.
    pub fn new() -> Result<XmmPrograms, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/xmm");
        let mut rows = rows(&folder).map_err(|error| error.to_string())?;
        let executions = |row: &Row| row.expected(RULES).map_or(0, |numbers| numbers.co);
        rows.retain(|row| executions(row) <= MOST_EXECUTIONS);
        rows.sort_by_key(executions);
        let parse = |&(name, text): &(&'static str, &str)| {
            let program = crate::text::parse(text).map_err(|error| format!("{name}: {error}"))?;
            Ok((name, program))
        };
        let known = PROGRAMS.iter().map(parse).collect::<Result<_, String>>()?;
        Ok(XmmPrograms { rows: rows.into_iter().map(Arc::new).collect(), known })
    }

    /// The first program, random ones of these campaigns last, of which something else comes out than must.
    pub fn difference(&self, campaigns: &[Campaign]) -> Option<Kill> {
        let mut programs = 0;
        let mut judge = |name: String, program: TestProgram| {
            programs += 1;
            let of_program = program.clone();
            let difference = aside(move || by_definition(&of_program))?;
            Some(Kill { programs, name, program, difference })
        };
        let known = |(name, program): &(&str, TestProgram)| judge(name.to_string(), program.clone());
        if let Some(kill) = self.known.iter().find_map(known) {
            return Some(kill);
        }
        for (row, before) in self.rows.iter().zip(1..) {
            let of_row = row.clone();
            if let Some(difference) = aside(move || of_rules(&of_row)) {
                let (name, program) = (row.name.clone(), TestProgram::default());
                let programs = self.known.len() as u64 + before;
                return Some(Kill { programs, name, program, difference });
            }
        }
        campaigns.iter().find_map(|campaign| {
            (0..campaign.programs).find_map(|number| {
                let (profile, seed) = campaign.source(number);
                judge(format!("{} {seed}", profile.name()), random::program(profile, seed))
            })
        })
    }
}

/// How a row differs from its numbers; a panic is a difference.
fn of_rules(row: &Row) -> Option<String> {
    let compared = catch_unwind(AssertUnwindSafe(|| compare(row, &[RULES])));
    match compared {
        Err(reason) => Some(match reason.downcast_ref::<String>() {
            Some(text) => format!("a panic: {}", text.lines().next().unwrap_or_default()),
            None => "a panic".to_string(),
        }),
        Ok(Err(message)) => Some(message),
        Ok(Ok(compared)) => compared.differences.first().map(|difference| difference.to_string()),
    }
}

/// How the engine differs from the definition. A program too large to be judged has no difference.
fn by_definition(program: &TestProgram) -> Option<String> {
    let equivalences = [Equivalence::Coherence, Equivalence::ReadsFrom];
    let judge = |program: &TestProgram| {
        against_engine(program, &[XmmRules::Default], &equivalences, Limits::default(), &Notes::default())
    };
    guarded(&judge, program).difference
}
