//! The standard library's headers, compiled once for all programs: parsing them takes most of the time otherwise.

use std::path::PathBuf;
use std::sync::Mutex;

use raveler_c::precompile;

/// What programs include, as of C++17.
const HEADERS: &str = "#include <atomic>\n#include <cassert>\n#include <condition_variable>\n#include <cstdlib>\n\
    #include <functional>\n#include <future>\n#include <memory>\n#include <mutex>\n#include <optional>\n#include <pthread.h>\n\
    #include <shared_mutex>\n#include <thread>\n#include <vector>\n";
/// And what C++20 adds.
const NEWER: &str = "#include <barrier>\n#include <latch>\n#include <semaphore>\n";

/// What was compiled of them, by standard and with exceptions or without.
static COMPILED: Mutex<[[Option<PathBuf>; 2]; 2]> = Mutex::new([const { [const { None }; 2] }; 2]);

/// The standard that a text is written for.
pub fn standard(text: &str) -> &'static str {
    match text.contains("// C++20") {
        true => "-std=c++20",
        false => "-std=c++17",
    }
}

/// Flags for a text.
pub fn flags(text: &str) -> Result<Vec<String>, String> {
    let standard = standard(text);
    let exceptions = ["throw ", "catch (", "<future>"].iter().any(|word| text.contains(word));
    let newer = standard == "-std=c++20";
    let mut compiled = COMPILED.lock().map_err(|_| "a worker panicked")?;
    let slot = &mut compiled[usize::from(newer)][usize::from(exceptions)];
    let file = match slot {
        Some(file) => file,
        None => {
            let name = format!(
                "raveler-judge-{}-{}{}",
                std::process::id(),
                &standard[5..],
                if exceptions { "-throws" } else { "" }
            );
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            let text = if newer { format!("{HEADERS}{NEWER}") } else { HEADERS.to_string() };
            let file = precompile(&folder, &text, &[standard.to_string()], exceptions);
            slot.insert(file.map_err(|failure| format!("{failure:?}"))?)
        }
    };
    Ok(vec![standard.to_string(), "-include-pch".to_string(), file.to_string_lossy().into_owned()])
}
