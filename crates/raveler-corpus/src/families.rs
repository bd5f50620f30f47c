//! Programs with a size: litmus texts where litmus can say them, programs in memory where it cannot.
//!
//! A program has a name and parameters as in the table of expected numbers (`dekker`, `R=1 LB=2 relaxed`), so that
//! a row of that table finds its program. [`crate::generate::COMMITTED`] lists the sizes that lie in the corpus as files.

pub mod assumed;
pub mod counting;
pub mod exclusion;
pub mod locked;
pub mod spawned;
pub mod structures;
pub mod text;
pub mod waiting;

use crate::builder::Built;
use text::Litmus;

/// The parameters of a program: numbers with a name, and words.
#[derive(Clone, Debug, Default)]
pub struct Parameters(String);

impl Parameters {
    /// From text such as `R=1 LB=2 relaxed`.
    pub fn parse(text: &str) -> Parameters {
        Parameters(text.to_owned())
    }

    /// The number with this name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.0
            .split(' ')
            .find_map(|word| word.split_once('=').filter(|(key, _)| *key == name)?.1.parse().ok())
    }

    /// Is this word there?
    pub fn flag(&self, word: &str) -> bool {
        self.0.split(' ').any(|known| known == word)
    }
}

/// A litmus test that only lacks a name.
pub struct Text {
    litmus: Litmus,
    condition: String,
}

impl Text {
    /// A test and its condition, such as `exists (0:r0=1)`.
    pub fn new(litmus: Litmus, condition: impl Into<String>) -> Text {
        Text { litmus, condition: condition.into() }
    }

    /// The whole file, with `header` between the first line and the initial values.
    pub fn render(&self, name: &str, header: &str) -> String {
        self.litmus.finish(name, header, &self.condition)
    }
}

/// A program of a family.
pub enum Subject {
    /// As a litmus file.
    Litmus(Text),
    /// In memory.
    Memory(Built),
}

/// The program with this name and these parameters, if there is one.
pub fn find(program: &str, parameters: &str) -> Option<Subject> {
    let parameters = Parameters::parse(parameters);
    let text = [counting::find, exclusion::find, waiting::find, structures::find];
    let memory = [locked::find, spawned::find, assumed::find];
    text.iter()
        .find_map(|find| find(program, &parameters))
        .map(Subject::Litmus)
        .or_else(|| memory.iter().find_map(|find| find(program, &parameters)).map(Subject::Memory))
}

/// The name of a program of this size, for the first line of its file and for reports: `dekker-1-2-relaxed`.
pub fn name(program: &str, parameters: &str) -> String {
    let mut name = program.to_owned();
    for word in parameters.split(' ').filter(|word| !word.is_empty()) {
        name.push('-');
        name.push_str(word.split_once('=').map_or(word, |(_, number)| number));
    }
    name.replace('/', "")
}
