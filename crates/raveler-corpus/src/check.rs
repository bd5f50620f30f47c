//! Runs corpus files and compares what comes out with what they expect.

use std::path::{Path, PathBuf};
use std::{fs, io};

use raveler_core::Engine;
use raveler_litmus::{PrivateLocations, Test, parse_bytes, parse_bytes_with};

use crate::expect::{Expectations, Key, Problem, Refusal, Setting, Value, refusals};
use crate::run::{Finding, examine};

/// All litmus files under a folder (or the file itself), sorted.
pub fn litmus_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(path, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "litmus") {
        files.push(path.to_owned());
    }
    Ok(())
}

/// What is wrong with a file, if anything. Those in a folder `broken` must be refused, the others give numbers.
pub fn check(path: &Path) -> io::Result<Vec<Problem>> {
    let bytes = fs::read(path)?;
    let broken = path.parent().is_some_and(|folder| folder.ends_with("broken"));
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(if broken { check_broken(&name, &bytes) } else { check_numbers(&name, &bytes) })
}

/// A file that must be refused: exactly the mistakes it marks.
fn check_broken(name: &str, bytes: &[u8]) -> Vec<Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut expected = match refusals(&text) {
        Ok(refusals) => refusals,
        Err(problems) => return problems,
    };
    expected.sort();
    let Err(mistakes) = parse_bytes(name, bytes) else {
        return vec![Problem { line: 1, message: "it was not refused".to_owned() }];
    };
    let line = |at: usize| 1 + bytes[..at.min(bytes.len())].iter().filter(|&&byte| byte == b'\n').count();
    let mut found: Vec<Refusal> = mistakes
        .iter()
        .map(|mistake| Refusal {
            line: mistake.span.as_ref().map_or(1, |span| line(span.start)),
            code: mistake.code.to_owned(),
        })
        .collect();
    found.sort();
    let missing = expected.iter().filter(|refusal| !found.contains(refusal));
    let missing = missing.map(|r| Problem { line: r.line, message: format!("no {} was reported", r.code) });
    let surplus = found.iter().filter(|refusal| !expected.contains(refusal));
    let surplus = surplus.map(|r| Problem { line: r.line, message: format!("{} was reported", r.code) });
    missing.chain(surplus).collect()
}

/// A file with numbers: every line of it is run.
fn check_numbers(name: &str, bytes: &[u8]) -> Vec<Problem> {
    let (test, expectations) = match read(name, bytes) {
        Ok(both) => both,
        Err(problems) => return problems,
    };
    let mut problems = Vec::new();
    if format!("{}.litmus", test.usual.name) != name {
        let message = format!("the test is called {}, the file {name}", test.usual.name);
        problems.push(Problem { line: 1, message });
    }
    for line in &expectations.lines {
        for setting in line.settings() {
            let mut complain = |what: String| {
                problems.push(Problem { line: line.number, message: format!("{setting}: {what}") });
            };
            match test.examine(setting) {
                Err(message) => complain(message),
                Ok(result) => {
                    for &(key, wanted) in &line.wanted {
                        let got = result.value(key);
                        if got != wanted {
                            complain(format!("expected {}, got {}", key.show(wanted), key.show(got)));
                        }
                    }
                }
            }
        }
    }
    problems
}

/// A test, read in two ways.
struct Readings {
    usual: Test,
    /// For store buffers of a given size, and for interleavings: all stores count.
    in_memory: Test,
}

impl Readings {
    fn examine(&self, setting: Setting) -> Result<Finding, String> {
        let counts_all = setting.buffer_bound.is_some() || setting.engine == Engine::Interleaving;
        examine(if counts_all { &self.in_memory } else { &self.usual }, setting)
    }
}

/// The test and what it expects.
fn read(name: &str, bytes: &[u8]) -> Result<(Readings, Expectations), Vec<Problem>> {
    let expectations = Expectations::read(&String::from_utf8_lossy(bytes))?;
    let read = |private| parse_bytes_with(name, bytes, private);
    let both = read(PrivateLocations::InRegisters)
        .and_then(|usual| Ok(Readings { usual, in_memory: read(PrivateLocations::InMemory)? }));
    let tests = both.map_err(|mistakes| {
        let mistake = |m: raveler_core::diagnostic::Diagnostic| Problem {
            line: m.span.map_or(1, |span| 1 + bytes[..span.start].iter().filter(|&&b| b == b'\n').count()),
            message: format!("{} {}", m.code, m.message),
        };
        mistakes.into_iter().map(mistake).collect::<Vec<_>>()
    })?;
    Ok((tests, expectations))
}

/// The text of a file with the numbers of its lines as they come out now. A line whose models no longer agree
/// becomes several.
pub fn bless(path: &Path) -> io::Result<Result<String, Vec<Problem>>> {
    let bytes = fs::read(path)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(read(&name, &bytes)
        .and_then(|(test, expectations)| blessed(&String::from_utf8_lossy(&bytes), &test, &expectations)))
}

fn blessed(text: &str, test: &Readings, expectations: &Expectations) -> Result<String, Vec<Problem>> {
    let mut new = String::new();
    for (index, old) in text.lines().enumerate() {
        let Some(line) = expectations.lines.iter().find(|line| line.number == index + 1) else {
            new.push_str(old);
            new.push('\n');
            continue;
        };
        // Lines with equal numbers, each with the models that gave them, in the order they come out.
        let mut groups: Vec<crate::expect::Line> = Vec::new();
        for setting in line.settings() {
            let result = test.examine(setting).map_err(|message| {
                vec![Problem { line: line.number, message: format!("{setting}: {message}") }]
            })?;
            let got: Vec<(Key, Value)> =
                line.wanted.iter().map(|&(key, _)| (key, result.value(key))).collect();
            match groups.iter_mut().find(|group| group.wanted == got) {
                Some(group) => group.models.push(setting.model),
                None => groups.push(crate::expect::Line {
                    models: vec![setting.model],
                    wanted: got,
                    ..line.clone()
                }),
            }
        }
        for group in groups {
            new.push_str(&group.show());
            new.push('\n');
        }
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SB: &str = "C SB
//@ about: store buffering
//@ from: by hand
//@ sc tso pso sra ra rc11 rc20: executions=3 holds=false
{ [x]=0; [y]=0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\\ 1:r0=0)
";

    #[test]
    fn a_wrong_number_is_a_problem_of_its_line_and_model() {
        let problems = check_numbers("SB.litmus", SB.as_bytes());
        assert_eq!(problems.len(), 2 * 6);
        assert_eq!(problems[0].to_string(), "4: tso: expected executions=3, got executions=4");
        assert_eq!(problems[1].to_string(), "4: tso: expected holds=false, got holds=true");
    }

    #[test]
    fn blessing_splits_a_line_whose_models_disagree_and_is_then_content() {
        let (test, expectations) = read("SB.litmus", SB.as_bytes()).expect("a good test");
        let new = blessed(SB, &test, &expectations).expect("it runs");
        assert!(new.contains(
            "//@ sc: executions=3 holds=false\n//@ tso pso sra ra rc11 rc20: executions=4 holds=true\n"
        ));
        assert_eq!(check_numbers("SB.litmus", new.as_bytes()), []);
    }

    #[test]
    fn a_file_that_must_be_refused_has_exactly_the_mistakes_it_marks() {
        let wrong = SB.replace(
            "atomic_int* y) {\n  atomic_store_explicit(x",
            "atomic_int* y) {\n  goto out; //~ E0114\n  atomic_store_explicit(x",
        );
        assert_eq!(check_broken("SB.litmus", wrong.as_bytes()), []);
        let other = wrong.replace("E0114", "E0115");
        assert_eq!(check_broken("SB.litmus", other.as_bytes()).len(), 2);
        let unmarked = format!("{SB}//~ E0100");
        assert_eq!(check_broken("SB.litmus", unmarked.as_bytes())[0].message, "it was not refused");
    }
}
