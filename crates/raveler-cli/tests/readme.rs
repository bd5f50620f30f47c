//! The README and the tutorial show what the command really prints, times aside.

use std::path::Path;
use std::process::Command;

/// The words of a command line; double quotes keep some together.
fn words(line: &str) -> Vec<String> {
    let pieces = line.split('"').enumerate();
    let split = |(i, piece): (usize, &str)| match i % 2 {
        0 => piece.split_whitespace().map(str::to_string).collect(),
        _ => vec![piece.to_string()],
    };
    pieces.flat_map(split).collect()
}

/// The text with every duration replaced, and runs of spaces, whose number may follow from one, made one.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        // What stands in a token depends on the version of clang.
        for word in &mut words {
            if word.starts_with("v1.") {
                *word = "TOKEN";
            }
        }
        for i in 1..words.len() {
            if words[i - 1].parse::<f64>().is_ok() && ["ms", "s"].contains(&words[i].trim_end_matches(';')) {
                (words[i - 1], words[i]) = ("some", "time");
            }
        }
        words.join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Run the examples of a page.
fn compare(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(page)).expect("it is there");
    let blocks: Vec<&str> = text.split("```console\n$ raveler ").skip(1).collect();
    assert!(blocks.len() >= 3, "{page} has examples");
    for block in blocks {
        let (command, rest) = block.split_once('\n').expect("a command line");
        let has_clang = || Command::new("clang").arg("--version").output().is_ok();
        if words(command).iter().any(|word| word.ends_with(".c")) && !has_clang() {
            println!("no clang on the PATH: `raveler {command}` was not run");
            continue;
        }
        let expected = rest.split("```").next().expect("the block ends");
        let output = Command::new(env!("CARGO_BIN_EXE_raveler"))
            .args(words(command))
            .current_dir(&root)
            .output()
            .expect("the command can be started");
        let printed = String::from_utf8(output.stdout).expect("it prints text");
        assert_eq!(without_times(&printed), without_times(expected), "raveler {command}");
    }
}

#[test]
fn the_examples_print_what_the_readme_says() {
    compare("README.md");
}

#[test]
fn the_examples_print_what_the_tutorial_says() {
    compare("docs/tutorial.md");
}

#[test]
fn the_program_in_the_readme_is_the_one_that_is_checked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("it is there");
    let shown =
        readme.split_once("```c\n").and_then(|(_, rest)| rest.split_once("```")).expect("a program").0;
    let file = root.join("corpus/litmus/shapes/MP+rlx.litmus");
    let kept = std::fs::read_to_string(file).expect("it is there");
    for line in shown.lines() {
        assert!(kept.lines().any(|known| known == line), "`{line}` is not in the file");
    }
}
