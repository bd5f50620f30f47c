//! Damaged C text, through clang: whatever still compiles may be refused or found wrong, but the checker neither panics nor
//! hangs, and never comes to its end without having seen anything. Other ways to search it must say the same, and a model
//! that allows more must find what a stronger one finds.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use cpu_time::ThreadTime;
use raveler_c::code::Code;
use raveler_c::{CProgram, lower, search};
use raveler_core::{Equivalence, Locks, Model, Outcome as Found, Settings, Verdict};

use crate::c::{self, Expectation, expectations};
use crate::mutate::{Impatient, Outcome, PATIENCE};
use crate::sequential::Random;

/// A C file, and the flags with which it is run.
pub struct Source {
    name: String,
    text: String,
    flags: Vec<Vec<String>>,
}

/// The C and C++ files below a folder.
pub fn sources(folder: &Path) -> io::Result<Vec<Source>> {
    let mut all = Vec::new();
    for file in c::files(folder)? {
        let text = fs::read_to_string(&file)?;
        let flags = match expectations(&text) {
            Ok(Expectation::Runs(runs)) => {
                runs.into_iter().filter(|run| !run.long).map(|run| run.flags).collect()
            }
            _ => vec![Vec::new()],
        };
        all.push(Source { name: file.display().to_string(), text, flags });
    }
    Ok(all)
}

const ORDERS: [&str; 5] = [
    "memory_order_relaxed",
    "memory_order_acquire",
    "memory_order_release",
    "memory_order_acq_rel",
    "memory_order_seq_cst",
];
const NUMBERS: [&str; 8] = ["0", "1", "2", "3", "-1", "7", "64", "4294967296"];
const OPERATORS: [&str; 14] = ["+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "==", "!=", "&&", "||"];

/// A text with a few changes, the same for the same seed.
fn mutate(text: &str, random: &mut Random) -> String {
    // The lines of expectations and the headers stay as they are.
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().rposition(|line| line.starts_with("#include")).map_or(0, |at| at + 1);
    let mut body: Vec<Vec<String>> = lines[begin..].iter().map(|line| words(line)).collect();
    let names: Vec<String> = body
        .iter()
        .flatten()
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .cloned()
        .collect();
    // Few changes more often than many: most texts with many are refused.
    let changes = random.below(6);
    for _ in 0..1 + random.below(1 + changes) {
        if body.is_empty() {
            break;
        }
        let at = random.below(body.len() as u64) as usize;
        let near = (at + random.below(6) as usize).min(body.len() - 1);
        match random.below(12) {
            0 => drop(body.remove(at)),
            1 => body.insert(near, body[at].clone()),
            2 => body.swap(at, near),
            _ if body[at].is_empty() => {}
            _ => {
                let word = random.below(body[at].len() as u64) as usize;
                let new = replacement(&body[at][word], &names, random);
                body[at][word] = new;
            }
        }
    }
    let body: Vec<String> = body.iter().map(|line| line.concat()).collect();
    format!("{}\n{}\n", lines[..begin].join("\n"), body.join("\n"))
}

/// Another word of the same kind.
fn replacement(word: &str, names: &[String], random: &mut Random) -> String {
    let first = word.chars().next().unwrap_or(' ');
    if ORDERS.contains(&word) {
        return random.pick(&ORDERS).to_string();
    }
    if first.is_ascii_digit() {
        return random.pick(&NUMBERS).to_string();
    }
    if OPERATORS.contains(&word) {
        return random.pick(&OPERATORS).to_string();
    }
    if first.is_ascii_alphabetic() && !names.is_empty() {
        // Most often a word that begins alike: another function of the same library, say.
        let alike: Vec<&String> =
            names.iter().filter(|name| name.starts_with(first) && name.as_str() != word).collect();
        return match alike.as_slice() {
            [] => names[random.below(names.len() as u64) as usize].clone(),
            alike if random.below(3) > 0 => random.pick(alike).to_string(),
            _ => names[random.below(names.len() as u64) as usize].clone(),
        };
    }
    if random.once_in(3) { String::new() } else { word.to_string() }
}

/// Identifiers and numbers, operators, and what lies between them.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        c if c.is_ascii_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        '=' | '<' | '>' | '&' | '|' | '+' | '-' | '!' => 2,
        _ => 3,
    };
    let mut last = None;
    for c in line.chars() {
        match words.last_mut() {
            Some(word) if last == Some(kind(c)) && kind(c) != 3 => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = Some(kind(c));
    }
    words
}

/// The code of a damaged text; none if it is refused. clang reads files, not texts, and the language is in the name; what the
/// text includes lies beside the file that it was.
fn compiled(name: &str, text: &str, mut flags: Vec<String>) -> Option<Code> {
    let original = Path::new(name);
    let folder = tempfile::Builder::new().prefix("raveler-damaged-").tempdir().ok()?;
    let file = folder.path().join(original.file_name()?);
    fs::write(&file, text).ok()?;
    let beside = original.parent().unwrap_or(Path::new(".")).display();
    flags.push(format!("-I{beside}"));
    let options = lower::Options::default();
    raveler_c::load(&file.display().to_string(), text.as_bytes(), &flags, &options, &|_| None).ok()
}

/// A damaged text, and what came of it.
pub struct Tried {
    /// The text.
    pub text: String,
    /// The flags it was compiled with, the model and how it was searched.
    pub how: String,
    /// What came of it.
    pub outcome: Outcome,
    /// How many further searches were compared with the first.
    pub compared: u64,
}

/// Damage one of the files and run it in some way; the same for the same seed.
pub fn run(sources: &[Source], seed: u64) -> Tried {
    // Seeds that are near each other must not share numbers: what the generator adds each time is no multiple of this.
    let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let source = &sources[random.below(sources.len() as u64) as usize];
    let flags = source.flags[random.below(source.flags.len() as u64) as usize].clone();
    let mut settings = Settings::new(Model::CAUSAL[random.below(Model::CAUSAL.len() as u64) as usize]);
    settings.all = random.once_in(2);
    settings.spurious_cas = random.once_in(8);
    if random.once_in(3) {
        settings.locks = Locks::Ordered;
    }
    if random.once_in(3) {
        settings.equivalence = Equivalence::Coherence;
    }
    let text = mutate(&source.text, &mut random);
    let mut how = format!(
        "{} {} {} {:?} {:?}{}",
        source.name,
        flags.join(" "),
        settings.model.name(),
        settings.equivalence,
        settings.locks,
        if settings.all { " --all" } else { "" }
    );
    let mut compared = 0;
    let work = ThreadTime::now();
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let Some(code) = compiled(&source.name, &text, flags) else { return Outcome::Refused };
        let program = CProgram::new(code);
        program.set_patience(200_000);
        program.prepare(&settings);
        let found = search(&program, &settings, &mut Impatient { began: Instant::now() });
        let counts = &found.counts;
        let nothing = counts.executions + counts.blocked + counts.cut == 0;
        if found.stopped.is_none() && found.violations.is_empty() && nothing {
            return Outcome::Nothing;
        }
        match settings.all.then(|| contradiction(&program, &settings, &found, &mut compared)).flatten() {
            Some(said) => {
                how.push_str(&format!("\n  {said}"));
                Outcome::Contradicts
            }
            None => Outcome::Ran,
        }
    }));
    let outcome = match ran {
        Err(_) => Outcome::Panicked,
        Ok(_) if work.elapsed() > PATIENCE => Outcome::Slow,
        Ok(outcome) => outcome,
    };
    Tried { text, how, outcome, compared }
}

/// The verdict and the kinds of violations of a search that came to its end.
fn answer(found: &Found) -> Option<(Verdict, BTreeSet<&'static str>)> {
    let kinds = || found.violations.iter().map(|violation| violation.kind.name()).collect();
    found.stopped.is_none().then(|| (found.verdict(), kinds()))
}

/// Search in two other ways, and under a model that allows more or less; in what they contradict what was `found`.
fn contradiction(
    program: &CProgram,
    settings: &Settings,
    found: &Found,
    compared: &mut u64,
) -> Option<String> {
    let (verdict, kinds) = answer(found)?;
    let mut ask = |settings: &Settings| {
        // What was learned stays with a program.
        let program = program.fresh();
        program.set_patience(200_000);
        program.prepare(settings);
        let answer = answer(&search(&program, settings, &mut Impatient { began: Instant::now() }));
        *compared += u64::from(answer.is_some());
        answer
    };
    let other_equivalence = match settings.equivalence {
        Equivalence::ReadsFrom => Equivalence::Coherence,
        Equivalence::Coherence => Equivalence::ReadsFrom,
    };
    let other_locks = if settings.locks == Locks::Aware { Locks::Ordered } else { Locks::Aware };
    let ways = [
        Settings { equivalence: other_equivalence, ..settings.clone() },
        Settings { locks: other_locks, workers: 2, ..settings.clone() },
    ];
    for way in &ways {
        if let Some(other) = ask(way)
            && other != (verdict, kinds.clone())
        {
            let (verdict, kinds) = other;
            let Settings { equivalence, locks, workers, .. } = way;
            return Some(format!(
                "{:?} {:?}, but {equivalence:?} {locks:?} -j {workers}: {verdict:?} {kinds:?}",
                found.verdict(),
                found.violations.iter().map(|violation| violation.kind.name()).collect::<BTreeSet<_>>()
            ));
        }
    }
    // A thread stops at a race, at freed memory and the like: what it would have done otherwise is not seen.
    let is_comparable =
        |kinds: &BTreeSet<&str>| kinds.iter().all(|kind| ["assertion", "deadlock"].contains(kind));
    if settings.model != Model::Sc && is_comparable(&kinds) {
        let (_, stronger) = ask(&Settings { model: Model::Sc, ..settings.clone() })?;
        if is_comparable(&stronger) && !stronger.is_subset(&kinds) {
            return Some(format!("{kinds:?}, but {stronger:?} under sc"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most damaged texts are no programs any more. If hardly one is refused, something else was compiled.
    #[test]
    fn it_is_the_damaged_text_that_is_compiled() {
        if !raveler_c::clang::is_there() {
            return;
        }
        let text = "#include <assert.h>\nint twice(int number) {\n  return number * 2;\n}\nint main(void) {\n  \
                    assert(twice(2) == 4);\n  return 0;\n}\n";
        let source = Source { name: "nowhere/twice.c".into(), text: text.into(), flags: vec![Vec::new()] };
        let outcomes: Vec<Outcome> =
            (0..40).map(|seed| run(std::slice::from_ref(&source), seed).outcome).collect();
        assert!(outcomes.iter().filter(|&&outcome| outcome == Outcome::Refused).count() > 5, "{outcomes:?}");
        assert!(outcomes.contains(&Outcome::Ran), "{outcomes:?}");
    }
}
