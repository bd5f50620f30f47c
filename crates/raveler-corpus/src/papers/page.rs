//! The page docs/papers.md: what stands between its marks is written by the command, and compared by tests.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where the page is.
pub fn path() -> PathBuf {
    docs().join("papers.md")
}

/// The folder of the documentation.
pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The page's text.
#[derive(Clone, Debug)]
pub struct Page(String);

impl Page {
    /// Read it.
    pub fn read() -> io::Result<Page> {
        Ok(Page(fs::read_to_string(path())?))
    }

    /// Write it back.
    pub fn write(&self) -> io::Result<()> {
        fs::write(path(), &self.0)
    }

    /// What stands between the marks of a block, if there are any.
    pub fn block(&self, name: &str) -> Option<&str> {
        let (from, to) = self.place(name)?;
        Some(&self.0[from..to])
    }

    /// Put something else there; false if there are no marks.
    pub fn replace(&mut self, name: &str, text: &str) -> bool {
        let Some((from, to)) = self.place(name) else { return false };
        self.0.replace_range(from..to, text);
        true
    }

    fn place(&self, name: &str) -> Option<(usize, usize)> {
        let mark = format!("<!-- {name} -->\n");
        let from = self.0.find(&mark)? + mark.len();
        let to = from + self.0[from..].find("<!-- end -->")?;
        Some((from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_and_replaced() {
        let mut page = Page("a\n<!-- one -->\nold\n<!-- end -->\n<!-- two -->\n<!-- end -->\n".to_owned());
        assert_eq!(page.block("one"), Some("old\n"));
        assert!(page.replace("one", "new\n") && page.replace("two", "more\n"));
        assert!(!page.replace("three", ""));
        assert_eq!(page.0, "a\n<!-- one -->\nnew\n<!-- end -->\n<!-- two -->\nmore\n<!-- end -->\n");
    }
}
