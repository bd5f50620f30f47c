//! IR of C++ programs that was compiled before, in the user's cache folder.
//!
//! An entry is found by all that the compiler read, byte for byte, by its version and by what it tells itself on its way (the
//! driver's `-v`). What is not whole is not used: each entry ends with a number of its content. Entries are written beside and
//! renamed, so other runs see all or nothing. C programs are compiled about as fast as they are preprocessed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// Entries of another form are not read.
const FORM: &str = concat!("raveler ", env!("CARGO_PKG_VERSION"), " 1\n");
/// The folder never has more bytes, for long.
const MOST_BYTES: u64 = 100 << 20;
/// A file that changed less than this before it was read may have been changed while it was.
const SETTLED: Duration = Duration::from_secs(1);
/// Stands for the folder with our headers, which has another name each time.
const HEADERS: &str = "/raveler-headers";

static IN_USE: AtomicBool = AtomicBool::new(false);

/// From now on use the cache of IR in the user's cache folder.
pub fn enable() {
    IN_USE.store(true, Ordering::Relaxed);
}

/// The folder of the entries.
pub(crate) struct Cache {
    folder: PathBuf,
}

/// Is all that these flags have the compiler read in what it preprocesses? Modules, plug-ins, profiles and lists are not.
pub(crate) fn are_plain(flags: &[String]) -> bool {
    let is_plain = |flag: &String| match flag.strip_prefix('-') {
        None => !flag.starts_with('@'),
        Some("pthread" | "w" | "isystem" | "iquote" | "pedantic" | "g") => true,
        Some(rest) if rest.starts_with("std=") => true,
        Some(rest) if rest.starts_with(['D', 'U', 'I', 'O', 'm']) => true,
        Some(rest) if rest.starts_with('W') => !rest.contains(','),
        Some(rest) if rest.starts_with('f') => {
            !rest.contains('=')
                && !["module", "plugin", "profile", "pch"].iter().any(|word| rest.contains(word))
        }
        Some(_) => false,
    };
    flags.iter().all(is_plain)
}

/// What the compiler reads.
pub(crate) struct Preprocessed {
    name: String,
    /// No file of it may have changed since it was read.
    files: Vec<PathBuf>,
    began: SystemTime,
    /// The folder with our headers.
    headers: String,
    /// It says when it was compiled.
    has_time: bool,
}

impl Preprocessed {
    pub fn new(
        text: &[u8],
        said: &str,
        flags: &[OsString],
        headers: &Path,
        began: SystemTime,
    ) -> Preprocessed {
        let text = String::from_utf8_lossy(text);
        let headers = headers.to_string_lossy().into_owned();
        let flags: Vec<String> = flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
        let folder = std::env::current_dir().unwrap_or_default();
        let mut parts = vec![FORM.to_string(), folder.to_string_lossy().into_owned(), flags.join("\n")];
        parts.extend([said.to_string(), text.clone().into_owned()]);
        let parts = parts.iter().map(|part| part.replace(&headers, HEADERS));
        let has_time = ["__TIME__", "__DATE__", "__TIMESTAMP__"].iter().any(|word| text.contains(word));
        let others = files_of(&text).into_iter().filter(|file| !file.starts_with(&headers));
        let files = others.map(PathBuf::from).collect();
        Preprocessed { name: name_of(parts), files, began, headers, has_time }
    }

    /// Did all files stay as they were from before they were read until now?
    fn is_settled(&self) -> bool {
        let Some(settled) = self.began.checked_sub(SETTLED) else { return false };
        !self.has_time
            && self.files.iter().all(|file| {
                fs::metadata(file).ok().and_then(|data| changed(&data)).is_some_and(|at| at < settled)
            })
    }
}

/// The files that the marks of lines name.
fn files_of(text: &str) -> BTreeSet<&str> {
    let name = |line| {
        let (number, rest) = str::strip_prefix(line, "# ")?.split_once(" \"")?;
        let (name, _) = rest.rsplit_once('"')?;
        number.bytes().all(|digit| digit.is_ascii_digit()).then_some(name)
    };
    text.lines().filter_map(name).filter(|name| !name.starts_with('<')).collect()
}

/// When the file changed the last time, whatever its owner says.
#[cfg(unix)]
fn changed(data: &fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let (seconds, rest) = (u64::try_from(data.ctime()).ok()?, u32::try_from(data.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, rest))
}

#[cfg(not(unix))]
fn changed(_: &fs::Metadata) -> Option<SystemTime> {
    None
}

/// 128 bits of these parts.
fn name_of(parts: impl Iterator<Item = String>) -> String {
    let mut hashes = [DefaultHasher::new(), DefaultHasher::new()];
    hashes[1].write_u8(1);
    for part in parts {
        for hash in &mut hashes {
            hash.write_usize(part.len());
            hash.write(part.as_bytes());
        }
    }
    hashes.iter().map(|hash| format!("{:016x}", hash.finish())).collect()
}

impl Cache {
    /// The user's, if it is to be used.
    pub fn of_user() -> Option<Cache> {
        if !IN_USE.load(Ordering::Relaxed)
            || std::env::var_os("RAVELER_NO_CACHE").is_some_and(|v| !v.is_empty())
        {
            return None;
        }
        let from = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = from("XDG_CACHE_HOME").or_else(|| Some(from("HOME")?.join(".cache")))?;
        Some(Cache { folder: folder.join("raveler") })
    }

    /// What was compiled of this before, and what clang warned of.
    pub fn get(&self, wanted: &Preprocessed) -> Option<(String, String)> {
        let file = self.folder.join(&wanted.name);
        let text = fs::read_to_string(&file).ok()?;
        let Some((ir, said)) = read(&text) else {
            // Damaged: it is made again.
            let _ = fs::remove_file(&file);
            return None;
        };
        // The last used are kept the longest; where that cannot be said, the last made.
        let _ = fs::File::options().append(true).open(&file).and_then(|f| f.set_modified(SystemTime::now()));
        let named = |text: &str| text.replace(HEADERS, &wanted.headers);
        Some((named(ir), named(said)))
    }

    /// Keep it. A cache that cannot be written is none.
    pub fn put(&self, wanted: &Preprocessed, ir: &str, said: &str) {
        // A text with our mark in it would come back changed.
        let is_free = |text: &&str| !text.contains(HEADERS);
        if wanted.is_settled() && [ir, said].iter().all(is_free) && self.make().is_ok() {
            let named = |text: &str| text.replace(&wanted.headers, HEADERS);
            let entry = written(&named(ir), &named(said));
            let kept = tempfile::NamedTempFile::new_in(&self.folder).and_then(|mut file| {
                file.write_all(entry.as_bytes())?;
                file.persist(self.folder.join(&wanted.name)).map_err(|error| error.error)
            });
            if kept.is_ok() {
                self.shrink(MOST_BYTES);
            }
        }
    }

    /// The folder, which is nobody else's.
    fn make(&self) -> std::io::Result<()> {
        let mut maker = fs::DirBuilder::new();
        maker.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
        maker.create(&self.folder)
    }

    /// Remove what was not used for longest, until no more bytes are left than these.
    fn shrink(&self, most: u64) {
        let Ok(folder) = fs::read_dir(&self.folder) else { return };
        let known = folder.flatten().filter_map(|entry| {
            let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((data.modified().ok()?, data.len(), entry.path()))
        });
        let mut all: Vec<(SystemTime, u64, PathBuf)> = known.collect();
        all.sort();
        let mut bytes: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, size, path) in all {
            if bytes <= most {
                break;
            }
            // Another run may have removed it.
            let _ = fs::remove_file(path);
            bytes -= size;
        }
    }
}

/// An entry: its form, a number of the rest, the length of the IR, the IR, and what clang said.
fn written(ir: &str, said: &str) -> String {
    let rest = format!("{}\n{ir}{said}", ir.len());
    format!("{FORM}{}\n{rest}", name_of(std::iter::once(rest.clone())))
}

/// The same back, if it is whole.
fn read(entry: &str) -> Option<(&str, &str)> {
    let (number, rest) = entry.strip_prefix(FORM)?.split_once('\n')?;
    let (length, texts) = rest.split_once('\n')?;
    let whole = number == name_of(std::iter::once(rest.to_string()));
    texts.split_at_checked(length.parse().ok()?).filter(|_| whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str, files: &[&Path]) -> Preprocessed {
        let marks: String = files.iter().map(|file| format!("# 1 \"{}\" 1\n", file.display())).collect();
        let text = format!("# 1 \"<built-in>\"\n# define X \"y\"\n{marks}{text}");
        Preprocessed::new(text.as_bytes(), "clang version 14", &[], Path::new("/tmp/x1"), SystemTime::now())
    }

    #[test]
    fn what_was_put_there_comes_back() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let cache = Cache { folder: folder.path().join("raveler") };
        let (this, other) = (wanted("int x;", &[]), wanted("int y;", &[]));
        assert!(cache.get(&this).is_none());
        cache.put(&this, "@x = /tmp/x1/raveler.h", "a warning");
        assert_eq!(cache.get(&this), Some(("@x = /tmp/x1/raveler.h".into(), "a warning".into())));
        assert!(cache.get(&other).is_none());
        // Our headers have another name in the next run.
        let next = Preprocessed { headers: "/tmp/x2".into(), name: this.name.clone(), ..wanted("", &[]) };
        assert_eq!(cache.get(&next).map(|known| known.0), Some("@x = /tmp/x2/raveler.h".into()));
    }

    #[test]
    fn damaged_entries_are_not_used() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let cache = Cache { folder: folder.path().into() };
        let this = wanted("int x;", &[]);
        let file = folder.path().join(&this.name);
        cache.put(&this, "@x = global i32 0", "");
        let whole = fs::read(&file).expect("it is there");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&file, &bytes).expect("it can be written");
            assert_eq!(cache.get(&this), None, "byte {at}");
            fs::write(&file, &whole[..at]).expect("it can be written");
            assert_eq!(cache.get(&this), None, "{at} bytes");
            assert!(!file.exists());
        }
    }

    #[test]
    fn files_that_just_changed_are_not_kept() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let cache = Cache { folder: folder.path().join("raveler") };
        let source = folder.path().join("x.cpp");
        fs::write(&source, "int x;").expect("it can be written");
        let early = wanted("int x;", &[&source]);
        cache.put(&early, "@x = global i32 0", "");
        assert_eq!(cache.get(&early), None);
        let late = Preprocessed { began: early.began + Duration::from_secs(60), ..early };
        cache.put(&late, "@x = global i32 0", "");
        assert!(cache.get(&late).is_some());
        let gone = wanted("int x;", &[Path::new("/nowhere/x.h")]);
        cache.put(&gone, "@x = global i32 0", "");
        assert_eq!(cache.get(&gone), None);
        let timed = wanted("const char *t = __TIME__;", &[]);
        cache.put(&timed, "@t = global i32 0", "");
        assert_eq!(cache.get(&timed), None);
    }

    #[test]
    fn flags_that_read_more() {
        let are = |flags: &[&str]| are_plain(&flags.iter().map(|flag| flag.to_string()).collect::<Vec<_>>());
        assert!(are(&["-std=c++20", "-DN=3", "-I", "include", "-isystem", "x", "-fno-rtti", "-O1", "-Wall"]));
        for flag in
            ["-fmodules", "-include", "-fplugin=x.so", "-Xclang", "@flags", "-fprofile-use=x", "-Wp,-x"]
        {
            assert!(!are(&[flag]), "{flag}");
        }
    }

    #[test]
    fn the_oldest_make_room() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let cache = Cache { folder: folder.path().into() };
        for (age, name) in [(3, "a"), (1, "b"), (2, "c")] {
            let file = folder.path().join(name);
            fs::write(&file, [0; 100]).expect("it can be written");
            let at = SystemTime::now() - Duration::from_secs(age);
            let opened = fs::File::options().append(true).open(&file).expect("it is there");
            opened.set_modified(at).expect("it can be said");
        }
        cache.shrink(200);
        let left = |name: &str| folder.path().join(name).exists();
        assert!(!left("a") && left("b") && left("c"));
    }
}
