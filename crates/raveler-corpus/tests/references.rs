//! Every reference to a page of the documentation leads somewhere: `docs/NAME.md` exists, and a quoted title after it is one
//! of its headings. The map in ARCHITECTURE.md is the folder listing.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All text files of the repository, without what is built.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", ".git", "artifacts", "coverage"].contains(&name.as_str()) {
                files(&path, found);
            }
        } else if [".rs", ".md", ".litmus", ".c", ".cpp", ".h", ".toml"].iter().any(|end| name.ends_with(end))
        {
            found.push(path);
        }
    }
}

/// The references in a text: the page, and the title if one is quoted.
fn references(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("docs/") {
        let rest = &text[at..];
        let page: String = rest.chars().take_while(|c| c.is_alphanumeric() || "/-_.".contains(*c)).collect();
        let page = page.trim_end_matches('.').to_string();
        if !page.ends_with(".md") {
            continue;
        }
        // Comments may break a line inside a reference.
        let after: String = rest[page.len()..].chars().take(200).collect();
        let after = after.replace("\n//! ", " ").replace("\n/// ", " ").replace("\n// ", " ");
        let title = after.strip_prefix(", \"").and_then(|title| title.split_once('"'));
        found.push((page, title.map(|(title, _)| title.to_string())));
    }
    found
}

#[test]
fn references_to_pages_lead_somewhere() {
    let root = root();
    let mut all = Vec::new();
    files(&root, &mut all);
    assert!(all.len() > 500, "{} files", all.len());
    let mut followed = 0;
    for file in all.iter().filter(|file| !file.ends_with("tests/references.rs")) {
        let text = String::from_utf8_lossy(&fs::read(file).expect("readable")).into_owned();
        for (page, title) in references(&text) {
            let at = file.strip_prefix(&root).unwrap_or(file).display();
            let target = fs::read_to_string(root.join(&page));
            let target = target.unwrap_or_else(|_| panic!("{at}: there is no page {page}"));
            followed += 1;
            if let Some(title) = title {
                let heading =
                    |line: &str| line.starts_with('#') && line.trim_start_matches(['#', ' ']) == title;
                assert!(target.lines().any(heading), "{at}: {page} has no heading \"{title}\"");
            }
        }
    }
    assert!(followed > 50, "only {followed} references");
}

#[test]
fn long_files_say_why() {
    let mut all = Vec::new();
    files(&root().join("crates"), &mut all);
    for file in all.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
        let text = fs::read_to_string(file).expect("readable");
        let says_why = text.lines().take(12).any(|line| line.starts_with("//! This file is long because"));
        assert!(says_why || text.lines().count() <= 500, "{} is long, and does not say why", file.display());
    }
}

#[test]
fn the_map_names_every_file_of_the_core() {
    let root = root();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let source = root.join("crates/raveler-core/src");
    let mut all = Vec::new();
    files(&source, &mut all);
    for file in all {
        let inside = file.strip_prefix(&source).expect("it lies there");
        let stem = inside.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // The models' files are named by the table of models.
        let named = map.contains(&format!("`{stem}")) || map.contains(&format!("/{stem}")) || stem == "lib";
        let model = inside.starts_with("models");
        assert!(named || model, "ARCHITECTURE.md does not name {}", inside.display());
    }
}
