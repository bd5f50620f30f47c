//! What a corpus file expects: its `//@` lines, and the `//~` marks of files that must be refused.
//!
//! ```text
//! //@ about: store buffering
//! //@ from: herd7 7.58
//! //@ sc: executions=3 holds=false
//! //@ tso pso sra ra rc11 rc20 --equivalence co: executions=4 states=4 holds=true
//! //@ tso --engine interleaving --reductions none: executions=24 classes=4
//! ```
//! Before the colon stand models and options, after it what must come out. Unknown words are mistakes.

use std::fmt;

use raveler_core::{Engine, Equivalence, Locks, Model};

/// A mistake in a file's expectations, or a number that came out differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line it is about, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// One way to run a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The memory model.
    pub model: Model,
    /// What counts as one execution.
    pub equivalence: Equivalence,
    /// What is done with critical sections.
    pub locks: Locks,
    /// How many stores a store buffer holds, if that is bounded.
    pub buffer_bound: Option<u32>,
    /// How executions are found.
    pub engine: Engine,
    /// Are equivalent interleavings left out?
    pub reduction: bool,
}

impl Setting {
    /// Critical sections in their order.
    pub fn ordered(model: Model, equivalence: Equivalence) -> Setting {
        let (locks, engine) = (Locks::Ordered, Engine::Graph);
        Setting { model, equivalence, locks, buffer_bound: None, engine, reduction: true }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.model.name())?;
        if self.equivalence == Equivalence::Coherence {
            f.write_str(" --equivalence co")?;
        }
        if self.locks == Locks::Aware {
            f.write_str(" --locks aware")?;
        }
        if self.engine == Engine::Interleaving {
            f.write_str(" --engine interleaving")?;
        }
        if !self.reduction {
            f.write_str(" --reductions none")?;
        }
        match self.buffer_bound {
            Some(room) => write!(f, " --buffer-bound {room}"),
            None => Ok(()),
        }
    }
}

/// What a run gives, as far as files can expect it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A count.
    Number(u64),
    /// `true` and `false`, or `yes` and `no`.
    Truth(bool),
}

/// The words that can stand before `=`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// Complete executions.
    Executions,
    /// Blocked explorations.
    Blocked,
    /// Distinct final states.
    States,
    /// Does the condition hold?
    Holds,
    /// Is there a race?
    Races,
    /// Did some graph have more stores in a buffer than `--buffer-bound` allows?
    Met,
    /// Of interleavings: how many classes the runs make.
    Classes,
}

impl Key {
    /// All of them.
    pub const ALL: [Key; 7] =
        [Key::Executions, Key::Blocked, Key::States, Key::Holds, Key::Races, Key::Met, Key::Classes];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Key::Executions => "executions",
            Key::Blocked => "blocked",
            Key::States => "states",
            Key::Holds => "holds",
            Key::Races => "races",
            Key::Met => "met",
            Key::Classes => "classes",
        }
    }

    /// A value as it is written after this key.
    pub fn show(self, value: Value) -> String {
        match (self, value) {
            (_, Value::Number(number)) => format!("{}={number}", self.name()),
            (Key::Races | Key::Met, Value::Truth(truth)) => {
                format!("{}={}", self.name(), if truth { "yes" } else { "no" })
            }
            (_, Value::Truth(truth)) => format!("{}={truth}", self.name()),
        }
    }

    fn read(self, text: &str) -> Option<Value> {
        match (self, text) {
            (Key::Holds, "true") | (Key::Races | Key::Met, "yes") => Some(Value::Truth(true)),
            (Key::Holds, "false") | (Key::Races | Key::Met, "no") => Some(Value::Truth(false)),
            (Key::Holds | Key::Races | Key::Met, _) => None,
            _ => text.parse().ok().map(Value::Number),
        }
    }
}

/// One line: several models, what must come out for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its place in the file, from 1.
    pub number: usize,
    /// The models.
    pub models: Vec<Model>,
    /// The equivalence.
    pub equivalence: Equivalence,
    /// How many stores a store buffer holds, if that is bounded.
    pub buffer_bound: Option<u32>,
    /// How executions are found.
    pub engine: Engine,
    /// Are equivalent interleavings left out?
    pub reduction: bool,
    /// What must come out, in the order written.
    pub wanted: Vec<(Key, Value)>,
}

impl Line {
    /// The ways to run that this line speaks of.
    pub fn settings(&self) -> impl Iterator<Item = Setting> + '_ {
        let setting = |&model: &Model| Setting {
            buffer_bound: self.buffer_bound,
            engine: self.engine,
            reduction: self.reduction,
            ..Setting::ordered(model, self.equivalence)
        };
        self.models.iter().map(setting)
    }

    /// The line as it is written in the file.
    pub fn show(&self) -> String {
        let mut words: Vec<&str> = self.models.iter().map(|model| model.name()).collect();
        if self.equivalence == Equivalence::Coherence {
            words.extend(["--equivalence", "co"]);
        }
        if self.engine == Engine::Interleaving {
            words.extend(["--engine", "interleaving"]);
        }
        if !self.reduction {
            words.extend(["--reductions", "none"]);
        }
        let room = self.buffer_bound.map(|room| room.to_string());
        if let Some(room) = &room {
            words.extend(["--buffer-bound", room]);
        }
        let wanted: Vec<String> = self.wanted.iter().map(|&(key, value)| key.show(value)).collect();
        format!("//@ {}: {}", words.join(" "), wanted.join(" "))
    }
}

/// All that a file expects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectations {
    /// What the test is about.
    pub about: Option<String>,
    /// Where the numbers come from.
    pub from: Vec<String>,
    /// The numbers.
    pub lines: Vec<Line>,
}

impl Expectations {
    /// Read the `//@` lines of a file; the mistakes in them if there are any.
    pub fn read(text: &str) -> Result<Expectations, Vec<Problem>> {
        let mut expectations = Expectations::default();
        let mut problems = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let Some(note) = line.trim_start().strip_prefix("//@") else { continue };
            if let Err(message) = expectations.note(index + 1, note.trim()) {
                problems.push(Problem { line: index + 1, message });
            }
        }
        expectations.check(&mut problems);
        if problems.is_empty() { Ok(expectations) } else { Err(problems) }
    }

    fn note(&mut self, number: usize, note: &str) -> Result<(), String> {
        let (head, tail) = note.split_once(':').ok_or("a `//@` line needs a colon")?;
        match head.trim() {
            "about" if self.about.is_some() => return Err("`about` stands twice".to_owned()),
            "about" => self.about = Some(tail.trim().to_owned()),
            "from" => self.from.push(tail.trim().to_owned()),
            settings => {
                let wanted = read_wanted(tail)?;
                self.lines.push(Line { number, wanted, ..read_settings(settings)? });
            }
        }
        Ok(())
    }

    /// What only the whole file can say: every model has a line, none stands twice, the source is named.
    fn check(&self, problems: &mut Vec<Problem>) {
        let mut complain = |line: usize, message: String| problems.push(Problem { line, message });
        if self.about.is_none() {
            complain(1, "no line `//@ about: ...`".to_owned());
        }
        if self.from.is_empty() {
            complain(1, "no line `//@ from: ...` says where the numbers come from".to_owned());
        }
        for model in Model::CAUSAL {
            let is_for = |line: &Line| line.engine == Engine::Graph && line.models.contains(&model);
            if !self.lines.iter().any(is_for) {
                complain(1, format!("no line for the model {}", model.name()));
            }
        }
        let mut seen: Vec<Setting> = Vec::new();
        for line in &self.lines {
            for setting in line.settings() {
                if seen.contains(&setting) {
                    complain(line.number, format!("`{setting}` has a line already"));
                }
                seen.push(setting);
            }
        }
    }
}

/// A line that expects nothing yet.
fn read_settings(text: &str) -> Result<Line, String> {
    let mut models = Vec::new();
    let mut equivalence = Equivalence::ReadsFrom;
    let mut buffer_bound = None;
    let (mut engine, mut reduction) = (Engine::Graph, true);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if let Some(model) = Model::named(word) {
            models.push(model);
        } else if word == "--equivalence" {
            equivalence = match words.next() {
                Some("rf") => Equivalence::ReadsFrom,
                Some("co") => Equivalence::Coherence,
                other => return Err(format!("`--equivalence` is rf or co, not `{}`", other.unwrap_or(""))),
            };
        } else if word == "--engine" {
            engine = match words.next() {
                Some("interleaving") => Engine::Interleaving,
                other => return Err(format!("`--engine` is interleaving, not `{}`", other.unwrap_or(""))),
            };
        } else if word == "--reductions" {
            reduction = match words.next() {
                Some("none") => false,
                other => return Err(format!("`--reductions` is none, not `{}`", other.unwrap_or(""))),
            };
        } else if word == "--buffer-bound" {
            let room = words.next().and_then(|room| room.parse().ok());
            buffer_bound = Some(room.ok_or("`--buffer-bound` takes a number")?);
        } else {
            return Err(format!("unknown word `{word}`: a model or an option was expected"));
        }
    }
    if models.is_empty() {
        return Err("no model is named".to_owned());
    }
    Ok(Line { number: 0, models, equivalence, buffer_bound, engine, reduction, wanted: Vec::new() })
}

fn read_wanted(text: &str) -> Result<Vec<(Key, Value)>, String> {
    let mut wanted: Vec<(Key, Value)> = Vec::new();
    for word in text.split_whitespace() {
        let (name, value) =
            word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form key=value"))?;
        let key = Key::ALL.into_iter().find(|key| key.name() == name);
        let key = key.ok_or_else(|| format!("unknown word `{name}`"))?;
        let value = key.read(value).ok_or_else(|| format!("`{value}` is no value for {name}"))?;
        if wanted.iter().any(|&(known, _)| known == key) {
            return Err(format!("`{name}` stands twice"));
        }
        wanted.push((key, value));
    }
    if wanted.is_empty() { Err("nothing is expected".to_owned()) } else { Ok(wanted) }
}

/// A mistake that a refused file must have: `//~ E0106` on its own line, `//~^ E0106` on the line after it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Refusal {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// Its code.
    pub code: String,
}

/// The `//~` marks of a file that must be refused.
pub fn refusals(text: &str) -> Result<Vec<Refusal>, Vec<Problem>> {
    let mut refusals = Vec::new();
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, mark)) = line.split_once("//~") else { continue };
        let code = mark.trim_start_matches('^');
        let above = mark.len() - code.len();
        let code = code.trim();
        let plausible =
            code.len() == 5 && code.starts_with('E') && code[1..].bytes().all(|b| b.is_ascii_digit());
        if plausible && above <= index {
            refusals.push(Refusal { line: index + 1 - above, code: code.to_owned() });
        } else {
            problems.push(Problem { line: index + 1, message: format!("`{}` is no code", mark.trim()) });
        }
    }
    if refusals.is_empty() && problems.is_empty() {
        problems.push(Problem { line: 1, message: "no `//~` mark says what is wrong with it".to_owned() });
    }
    if problems.is_empty() { Ok(refusals) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "C SB\n//@ about: a test\n//@ from: by hand\n";

    fn messages(lines: &str) -> Vec<String> {
        let text = format!("{HEAD}{lines}");
        Expectations::read(&text).expect_err("it has mistakes").into_iter().map(|p| p.to_string()).collect()
    }

    #[test]
    fn a_line_gives_models_options_and_numbers() {
        let text = format!(
            "{HEAD}//@ sc tso pso: executions=3  holds=false\n//@ sra ra rc11 rc20 --equivalence co: executions=4 races=yes\n{{ }}"
        );
        let expectations = Expectations::read(&text).expect("it has no mistakes");
        let [first, second] = expectations.lines.as_slice() else { panic!("two lines") };
        assert_eq!(first.models, [Model::Sc, Model::Tso, Model::Pso]);
        assert_eq!(first.wanted, [(Key::Executions, Value::Number(3)), (Key::Holds, Value::Truth(false))]);
        assert_eq!((second.number, second.equivalence), (5, Equivalence::Coherence));
        let bounded = read_settings("tso pso --buffer-bound 3").expect("it has no mistakes");
        assert_eq!(
            (bounded.buffer_bound, bounded.show().trim_end()),
            (Some(3), "//@ tso pso --buffer-bound 3:")
        );
        let runs = read_settings("pso --engine interleaving --reductions none").expect("it has no mistakes");
        assert_eq!(runs.show().trim_end(), "//@ pso --engine interleaving --reductions none:");
        assert_eq!(second.show(), "//@ sra ra rc11 rc20 --equivalence co: executions=4 races=yes");
    }

    #[test]
    fn an_unknown_word_is_a_mistake() {
        let all = "sc tso pso sra ra rc11 rc20";
        assert_eq!(
            messages(&format!("//@ {all}: executions=1\n//@ xyz: executions=1\n")),
            ["5: unknown word `xyz`: a model or an option was expected"]
        );
        assert_eq!(
            messages(&format!("//@ {all}: executions=1\n//@ sc --fast: executions=1")),
            ["5: unknown word `--fast`: a model or an option was expected"]
        );
        assert_eq!(
            messages(&format!("//@ {all}: executions=1\n//@ sc --equivalence co: speed=1")),
            ["5: unknown word `speed`"]
        );
    }

    #[test]
    fn a_model_without_a_line_and_a_model_with_two_are_mistakes() {
        assert_eq!(messages("//@ sc tso pso sra ra rc11: executions=1"), ["1: no line for the model rc20"]);
        assert_eq!(
            messages("//@ sc tso pso sra ra rc11 rc20: executions=1\n//@ sc: executions=1"),
            ["5: `sc` has a line already"]
        );
    }

    #[test]
    fn a_mark_names_a_code_and_a_line() {
        let marks = refusals("C x\nint //~ E0106\n{\n//~^^ E0107\n").expect("two marks");
        let expected =
            [(2, "E0106"), (2, "E0107")].map(|(line, code)| Refusal { line, code: code.to_owned() });
        assert_eq!(marks, expected);
        assert!(refusals("//~ oops").is_err());
        assert!(refusals("C x\n").is_err());
    }
}
