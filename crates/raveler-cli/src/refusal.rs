//! When nothing can be checked: bad usage or bad input, with what to do about it.

use raveler_core::diagnostic::Diagnostic;
use raveler_report::{Colour, diagnostic, json};

/// The codes of the command line's own messages; `explain/` has a page for each.
pub mod code {
    /// A file cannot be read.
    pub const UNREADABLE: &str = "E0001";
    /// The language of a file is not known.
    pub const UNKNOWN_LANGUAGE: &str = "E0002";
    /// Options that do not fit the input or each other.
    pub const BAD_OPTION: &str = "E0004";
    /// The program does something that the engine cannot follow.
    pub const UNSUPPORTED: &str = "E0005";
    /// A file cannot be written.
    pub const UNWRITABLE: &str = "E0006";
    /// A token for `--replay` that cannot be used.
    pub const BAD_TOKEN: &str = "E0007";
    /// There is no clang, or it cannot be used.
    pub const NO_CLANG: &str = "E0200";
    /// A program does not compile.
    pub const NOT_COMPILED: &str = "E0201";
    /// What clang wrote cannot be read.
    pub const UNREADABLE_IR: &str = "E0202";
    /// A construct or function that is not supported.
    pub const NOT_IN_C: &str = "E0203";
    /// All of them.
    #[cfg(test)]
    pub const ALL: [&str; 10] = [
        UNREADABLE,
        UNKNOWN_LANGUAGE,
        BAD_OPTION,
        UNSUPPORTED,
        UNWRITABLE,
        BAD_TOKEN,
        NO_CLANG,
        NOT_COMPILED,
        UNREADABLE_IR,
        NOT_IN_C,
    ];
}

/// Why nothing was checked.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The file it is about; empty if it is about the command line.
    pub file: String,
    /// The file's text, if it was read.
    pub source: String,
    /// The mistakes; at least one.
    pub diagnostics: Vec<Diagnostic>,
}

impl Refusal {
    /// A mistake on the command line.
    pub fn usage(code: &'static str, message: String, help: &str) -> Refusal {
        Refusal::about("", code, message, help)
    }

    /// A mistake about a file as a whole.
    pub fn about(file: &str, code: &'static str, message: String, help: &str) -> Refusal {
        let help = (!help.is_empty()).then(|| help.to_string());
        let diagnostic = Diagnostic { code, message, span: None, label: String::new(), help };
        Refusal { file: file.to_string(), source: String::new(), diagnostics: vec![diagnostic] }
    }

    /// In words, with the source.
    pub fn text(&self, colour: Colour) -> String {
        diagnostic::render(&self.file, &self.source, &self.diagnostics, colour)
    }

    /// As JSON.
    pub fn json(&self) -> String {
        json::line(&json::refused(&self.file, &self.source, &self.diagnostics))
    }
}
