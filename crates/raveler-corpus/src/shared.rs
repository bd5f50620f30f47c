//! Runs the judged litmus tests: a folder with `tests/NAME.litmus` and `expected.tsv`, which holds for each test and
//! model the exact final states, the executions with (`executions`) and without coherence (`classes`), and races.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use raveler_core::{Equivalence, Model};
use raveler_litmus::Test;

use crate::expect::Setting;
use crate::run::examine;
use crate::table::{Row, Table};

/// Something that came out differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The test.
    pub test: String,
    /// How it was run; none if it could not be read.
    pub setting: Option<Setting>,
    /// What differs.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.setting {
            Some(setting) => write!(f, "{}, {setting}: {}", self.test, self.message),
            None => write!(f, "{}: {}", self.test, self.message),
        }
    }
}

/// What a run of all tests saw.
#[derive(Debug, Default)]
pub struct Report {
    /// How many tests were read.
    pub tests: usize,
    /// How many rows of the table were compared, each under both equivalences.
    pub rows: usize,
    /// Executions found under `rf`, over all rows.
    pub classes: u64,
    /// Executions found under `co`, over all rows.
    pub executions: u64,
    /// What came out differently.
    pub differences: Vec<Difference>,
}

/// The folder of judged tests: `$RAVELER_SHARED/litmus`, or `../shared/litmus` beside the repository.
pub fn folder() -> Option<PathBuf> {
    shared("litmus/expected.tsv").map(|table| table.parent().expect("it has a folder").to_owned())
}

/// A file of the reference data, if it is there: under `$RAVELER_SHARED`, or `../shared` beside the repository.
pub fn shared(file: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let roots = [env::var_os("RAVELER_SHARED").map(PathBuf::from), Some(beside)];
    roots.into_iter().flatten().map(|root| root.join(file)).find(|path| path.exists())
}

/// Run every test of the folder under every model of its rows and both equivalences.
pub fn run(folder: &Path) -> io::Result<Report> {
    let table = Table::read(&folder.join("expected.tsv"))?;
    let mut report = Report::default();
    let mut current: Option<(String, Option<Test>)> = None;
    for row in table.rows() {
        let name = row.get("test");
        if current.as_ref().is_none_or(|(known, _)| known != name) {
            current = Some((name.to_owned(), report.read(folder, name)?));
        }
        if let Some((_, Some(test))) = &current {
            report.compare(test, &row);
        }
    }
    Ok(report)
}

impl Report {
    fn read(&mut self, folder: &Path, name: &str) -> io::Result<Option<Test>> {
        let file = format!("{name}.litmus");
        let bytes = fs::read(folder.join("tests").join(&file))?;
        self.tests += 1;
        Ok(raveler_litmus::parse_bytes(&file, &bytes)
            .map_err(|mistakes| {
                let message = mistakes.first().map_or_else(String::new, |mistake| mistake.message.clone());
                self.differ(name, None, format!("refused: {message}"));
            })
            .ok())
    }

    fn compare(&mut self, test: &Test, row: &Row) {
        let name = row.get("test");
        let known =
            Model::CAUSAL.into_iter().find(|model| model.name().eq_ignore_ascii_case(row.get("model")));
        let Some(model) = known else {
            return self.differ(name, None, format!("there is no model {}", row.get("model")));
        };
        self.rows += 1;
        for (equivalence, column) in
            [(Equivalence::ReadsFrom, "classes"), (Equivalence::Coherence, "executions")]
        {
            let setting = Setting::ordered(model, equivalence);
            match examine(test, setting) {
                Err(message) => self.differ(name, Some(setting), message),
                Ok(result) => {
                    match equivalence {
                        Equivalence::ReadsFrom => self.classes += result.executions,
                        Equivalence::Coherence => self.executions += result.executions,
                    }
                    let pairs = [
                        ("executions", row.get(column).to_owned(), result.executions.to_string()),
                        ("states", row.get("states").to_owned(), result.states.join(" | ")),
                        ("race", row.get("race").to_owned(), race(model, result.races).to_owned()),
                        (
                            "exists",
                            row.get("exists").replace("always", "sometimes"),
                            exists(result.holds).to_owned(),
                        ),
                    ];
                    for (what, expected, got) in pairs {
                        if expected != got {
                            self.differ(
                                name,
                                Some(setting),
                                format!("{what}: expected {expected}, got {got}"),
                            );
                        }
                    }
                }
            }
        }
    }

    fn differ(&mut self, test: &str, setting: Option<Setting>, message: String) {
        self.differences.push(Difference { test: test.to_owned(), setting, message });
    }
}

fn race(model: Model, races: bool) -> &'static str {
    match (model.definition().races, races) {
        (true, true) => "yes",
        (true, false) => "no",
        (false, _) => "-",
    }
}

fn exists(holds: bool) -> &'static str {
    if holds { "sometimes" } else { "never" }
}
