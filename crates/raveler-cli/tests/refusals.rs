//! What the command refuses, and how: exit code 2, a message with a place and what to do, one JSON object.

mod command;

use command::{SB, file, raveler, refused};

#[test]
fn without_a_command_the_help_is_shown() {
    let ran = raveler(&[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("Usage: raveler"));
}

#[test]
fn help_and_version_are_answers() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["help", "estimate"]] {
        let ran = raveler(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(ran.stdout.contains("raveler"));
    }
}

#[test]
fn unknown_options_and_values_are_bad_usage() {
    for arguments in [
        &["check", "x.litmus", "--frobnicate"][..],
        &["check", "x.litmus", "--model", "arm"],
        &["check", "x.litmus", "--model", "TSO"],
        &["check", "x.litmus", "--model", "xmm", "--xmm-rules", "lax"],
        &["check", "x.litmus", "--report", "races"],
        &["check", "x.litmus", "--timeout", "-1"],
        &["check", "x.litmus", "--timeout", "soon"],
        &["check", "x.litmus", "--max-memory", "much"],
        &["check", "x.litmus", "--max-executions", "0"],
        &["check", "x.litmus", "--nondet", "3..1"],
        &["check", "x.litmus", "--graph", "picture.png"],
        &["check", "x.litmus", "--json", "--print-executions"],
        &["check", "x.litmus", "-v", "-q"],
        &["check"],
        &["compare", "x.litmus", "--left", "--model sc"],
        &["explain"],
        &["frobnicate"],
    ] {
        let ran = raveler(arguments);
        assert_eq!((ran.code, ran.stdout.lines().count() < 2), (2, true), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn files_that_cannot_be_read() {
    refused(&raveler(&["check", "no/such/file.litmus"]), "E0001", "there is no file `no/such/file.litmus`");
    refused(&raveler(&["check", "no-such-file"]), "E0001", "there is no file");
    let sb = file("sb.litmus", SB);
    refused(&raveler(&["check", sb.folder()]), "E0001", "is a folder");
    refused(&raveler(&["check", sb.folder(), "--lang", "litmus"]), "E0001", "is a folder");
    refused(&raveler(&["check", file("test.txt", SB).path()]), "E0002", "--lang");
    refused(&raveler(&["check", "-"]), "E0002", "--lang litmus");
    refused(&raveler(&["check", sb.path(), "--lang", "ada"]), "E0002", "the languages are: litmus, c");
}

#[test]
fn files_that_are_not_litmus_tests() {
    refused(&raveler(&["check", file("empty.litmus", "").path()]), "E0100", "help");
    refused(&raveler(&["check", file("prose.litmus", "Dear reader,\n").path()]), "E0101", "prose.litmus:1:1");
    let binary = file("binary.litmus", "");
    std::fs::write(binary.path(), [b'C', b' ', b'T', b'\n', 0xff, 0xfe, 0x00]).expect("it can be written");
    refused(&raveler(&["check", binary.path()]), "E0103", "binary.litmus:2:1");
}

#[test]
fn mistakes_in_a_test_are_shown_where_they_are() {
    let broken = SB.replace("atomic_load_explicit(y", "atomic_lode_explicit(y").replace("1:r0=0)", "2:r0=0)");
    let broken = file("broken.litmus", &broken);
    let ran = raveler(&["check", broken.path()]);
    refused(&ran, "E0115", "broken.litmus:5:12");
    refused(&ran, "E0124", "broken.litmus:11:");
    assert!(ran.stderr.contains("^^^^"), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing was checked"));
    assert_eq!(ran.stdout, "");
}

#[test]
fn options_that_do_not_fit_litmus() {
    let sb = file("sb.litmus", SB);
    refused(&raveler(&["check", sb.path(), "--entry", "main"]), "E0004", "`--entry` is for C programs");
    refused(&raveler(&["check", sb.path(), "--nondet", "-1..3"]), "E0004", "`--nondet` is for C programs");
    refused(&raveler(&["check", sb.path(), "--", "-O2"]), "E0004", "clang");
    let nowhere = format!("{}/no/such/folder/p.svg", sb.folder());
    refused(&raveler(&["check", sb.path(), "--graph", &nowhere]), "E0006", "cannot be written");
    refused(&raveler(&["compare", sb.path(), "--left", "--modle sc", "--right", ""]), "E0004", "in --left");
    refused(&raveler(&["compare", sb.path(), "--left", "--json", "--right", ""]), "E0004", "in --left");
}

#[test]
fn with_json_a_refusal_is_one_object() {
    let broken = file("broken.litmus", &SB.replace("exists", "exits"));
    for arguments in [
        &["check", broken.path(), "--json"][..],
        &["check", "--json", "no-such-file.litmus"],
        &["check", "--json"],
        &["check", broken.path(), "--json", "--model", "arm"],
        &["check", broken.path(), "--json", "--unroll", "3"],
        &["estimate", broken.path(), "--json"],
        &["compare", broken.path(), "--json", "--left", "", "--right", ""],
    ] {
        let ran = raveler(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
        assert_eq!(answer["schema"], 1);
        assert!(answer["error"]["message"].is_string(), "{answer}");
        assert!(ran.stderr.starts_with("error"), "{}", ran.stderr);
    }
    let ran = raveler(&["check", broken.path(), "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    assert_eq!(answer["error"]["location"]["line"], 11);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let always = raveler(&["check", "no-such-file.litmus", "--color", "always"]);
    assert!(always.stderr.contains('\u{1b}'));
    for when in ["auto", "never"] {
        let ran = raveler(&["check", "no-such-file.litmus", "--color", when]);
        assert!(!ran.stderr.contains('\u{1b}'), "{when}");
    }
}

#[test]
fn codes_are_explained() {
    let page = raveler(&["explain", "E0115"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.starts_with("# E0115: "));
    assert_eq!(raveler(&["explain", "e0004"]).code, 0);
    assert!(raveler(&["explain", "list"]).stdout.lines().count() > 30);
    refused(&raveler(&["explain", "E9999"]), "E0004", "there is no code `E9999`");
}
