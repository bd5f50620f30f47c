//! The files of a program: those that the user names, those of a folder, those of a build.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::read;
use crate::args::Input;
use crate::refusal::{Refusal, code};

/// One file of a program.
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What the build says to its compiler.
    pub flags: Vec<String>,
}

/// Suffixes of files that are compiled by themselves.
const SOURCES: [&str; 4] = ["c", "cc", "cpp", "cxx"];

/// The files that the command line means; at least one.
pub fn all(input: &Input) -> Result<Vec<File>, Refusal> {
    let mut names = Vec::new();
    for name in &input.files {
        if Path::new(name).is_dir() {
            names.extend(of_folder(name)?);
        } else {
            names.push(name.clone());
        }
    }
    let Some(folder) = &input.compile_commands else {
        return names.into_iter().map(|name| file(name, Vec::new())).collect();
    };
    let commands = Commands::read(folder)?;
    if names.is_empty() {
        return commands.all.into_iter().map(|(name, flags)| file(name, flags)).collect();
    }
    let with_flags = |name: String| {
        let flags = commands.flags_of(&name)?;
        file(name, flags)
    };
    names.into_iter().map(with_flags).collect()
}

fn file(name: String, flags: Vec<String>) -> Result<File, Refusal> {
    Ok(File { bytes: read(&name)?, name, flags })
}

/// The sources in a folder, by name.
fn of_folder(folder: &str) -> Result<Vec<String>, Refusal> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        Refusal::about(folder, code::UNREADABLE, format!("`{folder}` cannot be read: {error}"), "")
    })?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_source = |path: &PathBuf| {
        path.extension().and_then(|suffix| suffix.to_str()).is_some_and(|suffix| SOURCES.contains(&suffix))
    };
    let mut names: Vec<String> =
        paths.filter(is_source).map(|path| path.to_string_lossy().into_owned()).collect();
    names.sort();
    if names.is_empty() {
        let message = format!("`{folder}` is a folder without C or C++ files");
        return Err(Refusal::about(folder, code::UNREADABLE, message, "name the files of the program"));
    }
    Ok(names)
}

/// `compile_commands.json`: files and their flags.
struct Commands {
    file: String,
    all: Vec<(String, Vec<String>)>,
}

impl Commands {
    /// Read it from a folder, or by its own name.
    fn read(path: &Path) -> Result<Commands, Refusal> {
        let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_path_buf() };
        let file = path.to_string_lossy().into_owned();
        let bytes = read(&file)?;
        let bad = |what: &str| {
            let help =
                "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; `bear -- make` does for make";
            Refusal::about(&file, code::UNREADABLE, format!("`{file}` {what}"), help)
        };
        let json: Value =
            serde_json::from_slice(&bytes).map_err(|error| bad(&format!("is no JSON: {error}")))?;
        let entries = json.as_array().ok_or_else(|| bad("is no list of commands"))?;
        let mut all: Vec<(String, Vec<String>)> = Vec::new();
        for entry in entries {
            let text = |name: &str| entry.get(name).and_then(Value::as_str);
            let (Some(folder), Some(name)) = (text("directory"), text("file")) else {
                return Err(bad("has an entry without `directory` or `file`"));
            };
            let words: Vec<String> = match (entry.get("arguments").and_then(Value::as_array), text("command"))
            {
                (Some(words), _) => words.iter().filter_map(Value::as_str).map(str::to_string).collect(),
                (None, Some(command)) => words_of(command),
                (None, None) => return Err(bad("has an entry without `arguments` or `command`")),
            };
            let name = below(folder, name);
            // A file that belongs to several targets is compiled once.
            if all.iter().all(|(known, _)| *known != name) {
                all.push((name, flags(folder, &words)));
            }
        }
        if all.is_empty() {
            return Err(bad("has no entry"));
        }
        Ok(Commands { file, all })
    }

    fn flags_of(&self, name: &str) -> Result<Vec<String>, Refusal> {
        let whole = |name: &str| std::fs::canonicalize(name).ok();
        let wanted = whole(name);
        let found =
            self.all.iter().find(|(known, _)| known == name || wanted.is_some() && whole(known) == wanted);
        found.map(|(_, flags)| flags.clone()).ok_or_else(|| {
            let message = format!("`{}` has no entry for `{name}`", self.file);
            Refusal::about(
                name,
                code::UNREADABLE,
                message,
                "leave --compile-commands out, or build the file too",
            )
        })
    }
}

/// A name that is meant inside a folder.
fn below(folder: &str, name: &str) -> String {
    let mut path = PathBuf::new();
    for part in Path::new(folder).join(name).components() {
        // The folder above a folder, not above what a link leads to.
        if part != Component::ParentDir || !path.pop() {
            path.push(part);
        }
    }
    let here = std::env::current_dir().ok();
    let short = here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    short.to_string_lossy().into_owned()
}

/// What matters of a command: where headers are, what is defined, which language.
fn flags(folder: &str, words: &[String]) -> Vec<String> {
    const FOLDERS: [&str; 4] = ["-I", "-isystem", "-iquote", "-include"];
    const WITH_WORD: [&str; 3] = ["-D", "-U", "-x"];
    const ALONE: [&str; 6] = ["-std=", "-D", "-U", "-m", "-fms", "-fno-strict"];
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        if let Some(flag) = FOLDERS.into_iter().find(|flag| word.starts_with(flag)) {
            let path = match &word[flag.len()..] {
                "" => words.next().unwrap_or_default(),
                path => path,
            };
            kept.extend([flag.to_string(), below(folder, path)]);
        } else if WITH_WORD.contains(&word) {
            kept.push(word.to_string());
            kept.extend(words.next().map(str::to_string));
        } else if matches!(word, "-o" | "-MF" | "-MT" | "-MQ") {
            words.next();
        } else if ALONE.iter().any(|flag| word.starts_with(flag)) {
            kept.push(word.to_string());
        }
    }
    kept
}

/// The words of a command as a shell has them.
fn words_of(command: &str) -> Vec<String> {
    let (mut words, mut word, mut begun) = (Vec::new(), String::new(), false);
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.extend(characters.next()),
            (_, Some(end)) if c == end => quote = None,
            (_, Some(_)) => word.push(c),
            ('"' | '\'', None) => (quote, begun) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (c, None) => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let words = words_of(r#"cc -DX="a b" '-DY=1 2'  -I\ a "" x.c"#);
        assert_eq!(words, ["cc", "-DX=a b", "-DY=1 2", "-I a", "", "x.c"]);
    }

    #[test]
    fn flags_that_say_how_to_build_are_left_out() {
        let command = "cc -O2 -Wall -Iinc -isystem /usr/x -D N=3 -DM -std=c11 -g -c -MD -MF a.d -o a.o a.c";
        let kept = flags("/build", &words_of(command));
        assert_eq!(kept, ["-I", "/build/inc", "-isystem", "/usr/x", "-D", "N=3", "-DM", "-std=c11"]);
    }
}
