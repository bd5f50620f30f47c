//! Running the user's clang: from a source file to the text of LLVM IR.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    /// With exceptions, for programs that have some.
    pub exceptions: bool,
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

/// What the C++ library has compiled elsewhere.
const CPP: &str = include_str!("../include/raveler_cpp.h");

/// Is this function of the C library there in C?
pub fn provides(function: &str) -> bool {
    [LIBRARY, STRINGS, CPP].into_iter().flat_map(str::lines).any(|line| {
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
    let clang = find()?;
    let headers = Headers::write().map_err(|error| Failure::Broken(error.to_string()))?;
    let mut command = Command::new(&clang);
    command.args(["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-gcolumn-info"]);
    command.args(["-fno-discard-value-names", "-fno-caret-diagnostics", "-pthread", "-DRAVELER=1"]);
    command.args(["-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion"]);
    command.arg("-Wno-error=incompatible-function-pointer-types");
    command.arg("-I").arg(&headers.folder);
    let suffix = Path::new(source.file).extension().and_then(|s| s.to_str()).unwrap_or("c");
    if matches!(suffix, "cc" | "cpp" | "cxx") {
        // Reference counts of the library are read one by one, not both in one access.
        command.args(["-std=c++17", "-D_GLIBCXX_TSAN=1"]);
        command.arg(if source.exceptions { "-fexceptions" } else { "-fno-exceptions" });
        command.arg("-include").arg(headers.folder.join("raveler_cxx.h"));
    }
    if source.file == "-" {
        command.args(["-x", "c"]);
    }
    if source.library {
        command.arg("-include").arg(headers.folder.join("raveler_libc.h"));
    }
    command.args(source.flags);
    command.args(["-o", "-", source.file]);
    command.stdin(if source.file == "-" { Stdio::piped() } else { Stdio::null() });
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
            Failure::Broken(format!("`{}` cannot be run: {error}", clang.to_string_lossy()))
        })?;
    if let Some(mut input) = child.stdin.take() {
        // A compiler that stops reading says why by itself.
        let _ = input.write_all(source.bytes);
    }
    let output = child.wait_with_output().map_err(|error| Failure::Broken(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(Failure::Refused(said));
    }
    match String::from_utf8(output.stdout) {
        Ok(text) => Ok((text, said)),
        Err(_) => {
            Err(Failure::Broken("clang did not write text; is there a `-o` or `-c` among the flags?".into()))
        }
    }
}

/// Is there a clang that can be used?
pub fn is_there() -> bool {
    find().is_ok()
}

/// The clang to use: `RAVELER_CLANG`, else the first on the PATH.
fn find() -> Result<OsString, Failure> {
    if let Some(clang) = std::env::var_os("RAVELER_CLANG") {
        return check(clang);
    }
    let mut old = None;
    let versions = (OLDEST..=NEWEST).rev().map(|version| format!("clang-{version}"));
    for name in std::iter::once("clang".to_string()).chain(versions) {
        match check(name.into()) {
            Ok(clang) => return Ok(clang),
            Err(Failure::TooOld(version)) => old = Some(version),
            Err(_) => {}
        }
    }
    Err(old.map_or(Failure::Missing, Failure::TooOld))
}

fn check(clang: OsString) -> Result<OsString, Failure> {
    let output = Command::new(&clang).arg("--version").output().map_err(|_| Failure::Missing)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split("version ").nth(1).and_then(|rest| rest.split('.').next()?.parse().ok());
    match version {
        Some(version) if version < OLDEST => Err(Failure::TooOld(version)),
        _ => Ok(clang),
    }
}

/// A folder with our header, as long as clang runs.
struct Headers {
    folder: PathBuf,
}

impl Headers {
    fn write() -> std::io::Result<Headers> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("raveler-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let headers = Headers { folder };
        let all = [
            ("raveler.h", HEADER),
            ("genmc.h", HEADER),
            ("raveler_libc.h", LIBRARY),
            ("raveler_strings.h", STRINGS),
            ("raveler_cpp.h", CPP),
            ("raveler_cxx.h", CPLUSPLUS),
            ("model-assert.h", MODEL_ASSERT),
            ("librace.h", LIBRACE),
            ("threads.h", THREADS),
        ];
        for (name, text) in all {
            std::fs::write(headers.folder.join(name), text)?;
        }
        Ok(headers)
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // What cannot be removed is a small file among temporary ones.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
