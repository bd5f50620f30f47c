//! Arrows in the core go downward only: a module uses modules of lower layers, never of its own or of higher ones.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. ARCHITECTURE.md says what each module holds.
const LAYERS: &[&[&str]] = &[
    &["id", "mutation", "diagnostic"],
    &["program"],
    &["outcome", "graph"],
    &["models"],
    &["settings"],
    &["consistency"],
    &["run"],
    &["check", "execution", "agreement"],
    &["observer"],
    &["search"],
];

fn layer_of(module: &str) -> usize {
    let layer = LAYERS.iter().position(|layer| layer.contains(&module));
    layer.unwrap_or_else(|| {
        panic!("the module `{module}` stands in no layer: add it to LAYERS and to ARCHITECTURE.md")
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the sources are there").map(|entry| entry.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The modules that a file uses, without its comments and its tests.
fn used(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    // What a macro names lies in the crate that uses it.
    let lines = lines.filter(|line| !line.contains("$crate::"));
    let paths = lines.flat_map(|line| line.split("crate::").skip(1));
    paths.map(|path| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}

#[test]
fn modules_use_lower_layers_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&source) {
        let inside = file.strip_prefix(&source).expect("it lies there").with_extension("");
        let module = inside.iter().next().expect("a name").to_string_lossy().into_owned();
        if module == "lib" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("readable");
        for other in used(&text).into_iter().filter(|other| *other != module) {
            // Tests compare every step with the definitions.
            let allowed = other == "agreement" || layer_of(&other) < layer_of(&module);
            assert!(allowed, "{}: `{module}` uses `{other}`, which is not below it", inside.display());
        }
    }
}

#[test]
fn no_file_is_longer_than_500_lines_without_a_reason() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&source) {
        let text = fs::read_to_string(&file).expect("readable");
        let long = text.lines().count() > 500 && !text.contains("//! This file is long because");
        assert!(!long, "{} is longer than 500 lines: split it, or say why at its top", file.display());
    }
}
