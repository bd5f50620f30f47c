//! Running the user's clang: from a source file to the text of LLVM IR.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use raveler_core::mutation::Mutant;

use crate::cache::{Cache, Preprocessed, are_plain};

/// The oldest version whose IR can be read.
pub const OLDEST: u32 = 14;
/// The newest version that was tried.
pub const NEWEST: u32 = 22;

/// Why there is no IR.
#[derive(Debug)]
pub enum Failure {
    /// There is no clang.
    Missing,
    /// It is too old: its version.
    TooOld(u32),
    /// It could not be run.
    Broken(String),
    /// It refused the program: what it said.
    Refused(String),
    /// It was stopped before it was done.
    Stopped,
}

/// What to compile.
#[derive(Debug)]
pub struct Source<'a> {
    /// The file; `-` for `bytes`.
    pub file: &'a str,
    /// The text, for standard input.
    pub bytes: &'a [u8],
    /// More flags.
    pub flags: &'a [String],
    /// With the functions of the C library that are there in C.
    pub library: bool,
    /// With bodies for functions that are `inline` and neither `static` nor `extern`.
    pub inline_bodies: bool,
    /// With exceptions, for programs that have some.
    pub exceptions: bool,
    /// With what the C++ library has compiled elsewhere for futures.
    pub futures: bool,
    /// A C++ program, whatever its name.
    pub cpp: bool,
    /// Set when nobody waits for it any more.
    pub over: &'a AtomicBool,
}

impl Source<'_> {
    fn is_cpp(&self) -> bool {
        self.cpp || is_cpp(self.file)
    }
}

/// The header with what programs can say to raveler.
const HEADER: &str = include_str!("../include/raveler.h");
/// Functions of the C library in C.
const LIBRARY: &str = include_str!("../include/raveler_libc.h");

/// What C++ programs need instead of parts of their library.
const CPLUSPLUS: &str = include_str!("../include/raveler_cxx.h");
/// CDSChecker's headers.
const MODEL_ASSERT: &str = include_str!("../include/model-assert.h");
const LIBRACE: &str = include_str!("../include/librace.h");
const THREADS: &str = include_str!("../include/threads.h");

/// More of them: strings, characters, numbers.
const STRINGS: &str = include_str!("../include/raveler_strings.h");

/// And of what is asked for less often.
const MORE: &str = include_str!("../include/raveler_more.h");

/// What runs when the process ends.
const EXITS: &str = include_str!("../include/raveler_exits.h");

/// Hazard pointers.
const HAZARD: &str = include_str!("../include/raveler_hazard.h");

/// What the C++ library has compiled elsewhere.
const CPP: &str = include_str!("../include/raveler_cpp.h");

/// What it has there for exceptions.
const EXCEPTIONS: &str = include_str!("../include/raveler_exceptions.h");

/// And for futures.
const FUTURES: &str = include_str!("../include/raveler_future.h");
/// And for streams that write into strings.
const STREAMS: &str = include_str!("../include/raveler_streams.h");
/// What futures wait for: it stands for a header of libstdc++.
const FUTEX: &str = include_str!("../include/raveler_futex.h");

/// Barriers and latches of C++20: they stand for headers of libstdc++.
const BARRIER: &str = include_str!("../include/raveler_barrier.h");
const LATCH: &str = include_str!("../include/raveler_latch.h");
const INSTEAD_OF_BARRIER: &str = include_str!("../include/barrier.h");
const INSTEAD_OF_LATCH: &str = include_str!("../include/latch.h");

/// Is this function of the C library there in C?
pub fn provides(function: &str) -> bool {
    listed(&[LIBRARY, STRINGS, MORE, EXITS, HAZARD, CPP], function)
}

/// Is this function there for programs that are compiled with exceptions?
pub fn provides_with_exceptions(function: &str) -> bool {
    listed(&[EXCEPTIONS], function)
}

fn listed(headers: &[&str], function: &str) -> bool {
    headers.iter().copied().flat_map(str::lines).any(|line| {
        if let Some(names) = line.strip_prefix("/* provides: ") {
            return names.split_whitespace().any(|name| match name.strip_suffix('*') {
                Some(beginning) => !beginning.is_empty() && function.starts_with(beginning),
                None => name == function,
            });
        }
        let name = line.split('(').next().unwrap_or_default();
        line.starts_with("RV_WEAK ") && name.rsplit([' ', '*']).next() == Some(function)
    })
}

/// Compile a file; gives the IR and what clang warned of.
pub fn compile(source: &Source<'_>) -> Result<(String, String), Failure> {
    let mut old = None;
    for clang in candidates() {
        // Asking for the version first would cost as much as half a compilation: only if something looks wrong.
        match compile_with(&clang, source) {
            Ok((text, said)) if ident(&text).is_none_or(|version| version >= OLDEST) => {
                return Ok((text, said));
            }
            Err(Failure::Stopped) => return Err(Failure::Stopped),
            result => match check(clang) {
                Ok(_) => return result,
                Err(Failure::TooOld(version)) => old = Some(version),
                Err(_) => {}
            },
        }
    }
    Err(old.map_or(Failure::Missing, Failure::TooOld))
}

/// The version of clang that wrote this IR, as it says itself.
fn ident(text: &str) -> Option<u32> {
    let start = text.find("!llvm.ident")?;
    number(&text[start..])
}

fn number(text: &str) -> Option<u32> {
    text.split("clang version ").nth(1)?.split('.').next()?.parse().ok()
}

/// The IR of the functions of the C library that are there in C.
pub fn library(over: &AtomicBool) -> Result<String, Failure> {
    let source = Source {
        file: "-",
        bytes: b"#include \"raveler_libc.h\"\n",
        flags: &[],
        library: false,
        inline_bodies: false,
        exceptions: false,
        futures: false,
        cpp: false,
        over,
    };
    compile(&source).map(|(text, _)| text)
}

/// The IR of streams that write into strings.
pub fn streams(exceptions: bool, over: &AtomicBool) -> Result<String, Failure> {
    let source = Source {
        file: "-",
        bytes: b"#include \"raveler_streams.h\"\n",
        flags: &[],
        library: false,
        inline_bodies: false,
        exceptions,
        futures: false,
        cpp: true,
        over,
    };
    compile(&source).map(|(text, _)| text)
}

/// Is this file a C++ program, by its name?
pub fn is_cpp(file: &str) -> bool {
    let suffix = Path::new(file).extension().and_then(|suffix| suffix.to_str());
    matches!(suffix, Some("cc" | "cpp" | "cxx"))
}

fn compile_with(clang: &OsString, source: &Source<'_>) -> Result<(String, String), Failure> {
    let headers = write_headers().map_err(|error| Failure::Broken(error.to_string()))?;
    let flags = arguments(source, headers.path());
    let cached = match Cache::of_user().filter(|_| source.is_cpp() && are_plain(source.flags)) {
        Some(cache) => preprocessed(clang, source, &flags, headers.path())?.map(|text| (cache, text)),
        None => None,
    };
    if let Some((cache, text)) = &cached
        && let Some(known) = cache.get(text)
    {
        return Ok(known);
    }
    let mut command = Command::new(clang);
    command.args(["-S", "-emit-llvm"]).args(flags).args(["-o", "-", source.file]);
    let Ran { written, said, succeeded } = run(command, clang, source)?;
    if !succeeded {
        return Err(Failure::Refused(shorter(&said)));
    }
    let Ok(text) = String::from_utf8(written) else {
        let message = "clang did not write text; is there a `-o` or `-c` among the flags?";
        return Err(Failure::Broken(message.into()));
    };
    if let Some((cache, preprocessed)) = &cached {
        cache.put(preprocessed, &text, &said);
    }
    Ok((text, said))
}

/// What the compiler reads, all headers included; none if it refuses the program, which it says better itself.
fn preprocessed(
    clang: &OsString,
    source: &Source<'_>,
    flags: &[OsString],
    headers: &Path,
) -> Result<Option<Preprocessed>, Failure> {
    let began = SystemTime::now();
    let mut command = Command::new(clang);
    // The version and all that clang tells itself come with it.
    command.args(["-v", "-E", "-frewrite-includes"]).args(flags).args(["-o", "-", source.file]);
    let Ran { written, said, succeeded } = run(command, clang, source)?;
    Ok(succeeded.then(|| Preprocessed::new(&written, &said, flags, headers, began)))
}

/// What says that other files may use the body of an `inline` function.
const EXTERN_INLINE: &[u8] = b"extern inline";

/// All flags but those that say what to make of it.
fn arguments(source: &Source<'_>, headers: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    let mut add = |flags: &[&str]| all.extend(flags.iter().map(OsString::from));
    add(&["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-gcolumn-info"]);
    // Where variables begin and end to live is said only if somebody may look for uses behind the end.
    add(&["-Xclang", "-fsanitize-address-use-after-scope"]);
    add(&["-fno-discard-value-names", "-fno-caret-diagnostics", "-pthread", "-DRAVELER=1"]);
    add(&["-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion"]);
    add(&["-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-type", "-I"]);
    all.push(headers.into());
    let mut add = |flags: &[&str]| all.extend(flags.iter().map(OsString::from));
    let is_cpp = source.is_cpp();
    if is_cpp {
        // Reference counts of the library are read one by one, not both in one access.
        add(&["-std=c++17", "-D_GLIBCXX_TSAN=1"]);
        add(&[if source.exceptions { "-fexceptions" } else { "-fno-exceptions" }, "-include"]);
        all.push(headers.join("raveler_cxx.h").into());
    }
    let mut add = |flags: &[&str]| all.extend(flags.iter().map(OsString::from));
    if source.futures {
        add(&["-DRAVELER_FUTURES=1"]);
    }
    // A file that has `extern inline` functions, too, would lose their bodies by this: they are the other way round in GNU89.
    let bodies = source.inline_bodies && !is_cpp;
    let both = bodies && source.bytes.windows(EXTERN_INLINE.len()).any(|part| part == EXTERN_INLINE);
    if bodies && !both {
        add(&["-fgnu89-inline"]);
    }
    if source.file == "-" {
        add(&["-x", if is_cpp { "c++" } else { "c" }]);
    }
    if source.library {
        all.push("-include".into());
        all.push(headers.join("raveler_libc.h").into());
    }
    all.extend(source.flags.iter().map(OsString::from));
    if both {
        // With optimisation clang gives all bodies there are, and then none of its passes runs.
        let flags = ["-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-D__NO_INLINE__=1"];
        all.extend(flags.iter().map(OsString::from));
    }
    all
}

/// What became of a run of clang.
struct Ran {
    written: Vec<u8>,
    said: String,
    succeeded: bool,
}

fn run(mut command: Command, clang: &OsString, source: &Source<'_>) -> Result<Ran, Failure> {
    command.stdin(if source.file == "-" { Stdio::piped() } else { Stdio::null() });
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
            Failure::Broken(format!("`{}` cannot be run: {error}", clang.to_string_lossy()))
        })?;
    if let Some(mut input) = child.stdin.take() {
        // A compiler that stops reading says why by itself.
        let _ = input.write_all(source.bytes);
    }
    let (written, said) = (all_of(child.stdout.take()), all_of(child.stderr.take()));
    let (Some(written), Some(said)) = (wait_for(&written, source.over), wait_for(&said, source.over)) else {
        // It may be gone already.
        let _ = child.kill();
        let _ = child.wait();
        return Err(Failure::Stopped);
    };
    let status = child.wait().map_err(|error| Failure::Broken(error.to_string()))?;
    let said = String::from_utf8_lossy(&said).into_owned();
    Ok(Ran { written, said, succeeded: status.success() })
}

/// What clang says of a program that it refuses, without the ways through headers: mistakes, and of the notes those about
/// the program itself. A name in the C++ library is enough where a header lies.
fn shorter(said: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for line in said.lines() {
        let inside = line.starts_with("/usr/");
        if line.starts_with("In file included from") || inside && !line.contains("error: ") {
            continue;
        }
        let line = match line.split_once("/include/c++/") {
            Some((_, rest)) if inside => rest.split_once('/').map_or(line, |(_, rest)| rest),
            _ => line,
        };
        if !out.iter().any(|known| known == line) {
            out.push(line.to_string());
        }
    }
    out.join("\n")
}

/// All that a process writes, read by a thread of its own.
fn all_of(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What cannot be read is missing, and the compiler's status says more.
            let _ = stream.read_to_end(&mut bytes);
        }
        // Where it was stopped, nobody listens.
        let _ = sender.send(bytes);
    });
    receiver
}

/// Wait for it; none if the search is over first.
fn wait_for(bytes: &Receiver<Vec<u8>>, over: &AtomicBool) -> Option<Vec<u8>> {
    loop {
        match bytes.recv_timeout(Duration::from_millis(20)) {
            Ok(bytes) => return Some(bytes),
            Err(RecvTimeoutError::Timeout) if over.load(Ordering::Relaxed) => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Some(Vec::new()),
        }
    }
}

/// Is there a clang that can be used?
pub fn is_there() -> bool {
    candidates().any(|clang| check(clang).is_ok())
}

/// The compilers to try: `RAVELER_CLANG` alone, else those on the PATH, the plain name first.
fn candidates() -> impl Iterator<Item = OsString> {
    let chosen = std::env::var_os("RAVELER_CLANG");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = (OLDEST..=NEWEST).rev().map(|version| format!("clang-{version}"));
    let names: Vec<String> = match chosen {
        Some(_) => Vec::new(),
        None => std::iter::once("clang".to_string()).chain(versions).collect(),
    };
    let found = names.into_iter().filter_map(move |name| {
        std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file())
    });
    chosen.into_iter().chain(found.map(PathBuf::into_os_string))
}

fn check(clang: OsString) -> Result<OsString, Failure> {
    let output = Command::new(&clang).arg("--version").output().map_err(|_| Failure::Missing)?;
    match number(&String::from_utf8_lossy(&output.stdout)) {
        Some(version) if version < OLDEST => Err(Failure::TooOld(version)),
        _ => Ok(clang),
    }
}

/// Headers that many C++ programs include, compiled before them. Each of the programs gets the same flags, and `-include-pch` with
/// the file that this gives; the folder has to stay as long as there are such programs.
pub fn precompile(folder: &Path, text: &str, flags: &[String], exceptions: bool) -> Result<PathBuf, Failure> {
    let broken = |error: std::io::Error| Failure::Broken(error.to_string());
    write_headers_to(folder).map_err(broken)?;
    let (text_file, made) = (folder.join("all.h"), folder.join("all.pch"));
    std::fs::write(&text_file, text).map_err(broken)?;
    let source = Source {
        file: &text_file.to_string_lossy(),
        bytes: text.as_bytes(),
        flags,
        library: false,
        inline_bodies: false,
        exceptions,
        futures: false,
        cpp: true,
        over: &AtomicBool::new(false),
    };
    let Some(clang) = candidates().next() else { return Err(Failure::Missing) };
    let mut command = Command::new(&clang);
    command.args(["-x", "c++-header"]).args(arguments(&source, folder));
    // The templates that the headers use are made once, too.
    command.args(["-Xclang", "-fpch-instantiate-templates", "-o"]).arg(&made).arg(&text_file);
    let Ran { said, succeeded, .. } = run(command, &clang, &source)?;
    if succeeded { Ok(made) } else { Err(Failure::Refused(shorter(&said))) }
}

/// A folder with our headers, as long as clang runs.
fn write_headers() -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("raveler-").tempdir()?;
    write_headers_to(folder.path())?;
    Ok(folder)
}

fn write_headers_to(folder: &Path) -> std::io::Result<()> {
    let library = if Mutant::BarrierOfOneGroup.is_active() { one_group() } else { Cow::Borrowed(LIBRARY) };
    let all = [
        ("raveler.h", HEADER),
        ("genmc.h", HEADER),
        ("raveler_libc.h", &*library),
        ("raveler_strings.h", STRINGS),
        ("raveler_more.h", MORE),
        ("raveler_hazard.h", HAZARD),
        ("raveler_exits.h", EXITS),
        ("raveler_cpp.h", CPP),
        ("raveler_exceptions.h", EXCEPTIONS),
        ("raveler_future.h", FUTURES),
        ("raveler_streams.h", STREAMS),
        ("raveler_futex.h", FUTEX),
        ("bits/atomic_futex.h", "#include \"raveler_futex.h\"\n"),
        ("raveler_barrier.h", BARRIER),
        ("raveler_latch.h", LATCH),
        ("barrier", INSTEAD_OF_BARRIER),
        ("latch", INSTEAD_OF_LATCH),
        ("raveler_cxx.h", CPLUSPLUS),
        ("model-assert.h", MODEL_ASSERT),
        ("librace.h", LIBRACE),
        ("threads.h", THREADS),
    ];
    std::fs::create_dir_all(folder.join("bits"))?;
    for (name, text) in all {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// The library with the mistake that a barrier has one group: the next does not begin to gather, and whatever comes is
/// let through.
fn one_group() -> Cow<'static, str> {
    let next = "    __atomic_store_n(&b->gathering, (unsigned long)group << 32, __ATOMIC_RELAXED);\n";
    let full = "  if (here >= count)\n    __rv_drop();\n  if (here + 1";
    let parts = LIBRARY.contains(next) && LIBRARY.contains(full);
    assert!(parts, "the barrier is written in another way");
    Cow::Owned(LIBRARY.replace(next, "").replace(full, "  if (here + 1"))
}
