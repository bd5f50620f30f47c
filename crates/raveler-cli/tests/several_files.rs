//! C programs of several files, and what is looked for in programs. Without clang on the PATH nothing is run.

mod command;

use std::path::Path;

use command::{TestFile, file, has_clang, json, raveler, refused};

const MAIN: &str = "#include <assert.h>
#include <pthread.h>
#include \"shared.h\"
static int step = 1;
int counter;
static void add(void) { counter += step; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  add();
  assert(counter == 1 + TEN);
}
";

const WORKER: &str = "#include <string.h>
#include \"shared.h\"
static int step = TEN;
static void more(int by) { counter += by; }
void add(int by) { more(by); }
int remove(const char *name) { return (int)strlen(name); }
void *worker(void *unused) {
  add(step);
  return remove(\"\") ? &counter : unused;
}
";

const SHARED: &str = "extern int counter;
void *worker(void *unused);
#ifndef TEN
#define TEN 10
#endif
";

/// A folder with the program.
fn program() -> Option<TestFile> {
    if !has_clang() {
        println!("no clang on the PATH: nothing was run");
        return None;
    }
    let main = file("main.c", MAIN);
    write(&main, "worker.c", WORKER);
    write(&main, "shared.h", SHARED);
    Some(main)
}

fn write(main: &TestFile, name: &str, text: &str) -> String {
    let path = Path::new(main.folder()).join(name);
    std::fs::write(&path, text).expect("it can be written");
    path.to_str().expect("the path is text").to_string()
}

#[test]
fn several_files_are_one_program_in_any_order() {
    let Some(main) = program() else { return };
    let worker = Path::new(main.folder()).join("worker.c");
    let worker = worker.to_str().expect("the path is text");
    for files in [&[main.path(), worker][..], &[worker, main.path()], &[main.folder()]] {
        let ran = raveler(&[&["check", "--json"], files].concat());
        assert_eq!(ran.code, 0, "{files:?}: {ran:#?}");
        assert_eq!(json(&ran)["executions"], 1);
    }
    // By itself each is only a part.
    refused(&raveler(&["check", main.path()]), "E0005", "`worker`");
    refused(&raveler(&["check", worker]), "E0203", "there is no function `main`");
}

#[test]
fn an_inline_function_of_a_header_is_one() {
    let Some(main) = program() else { return };
    let inline = "inline int twice(int n) { return 2 * n; }\nint use(void);\n";
    write(&main, "twice.h", inline);
    let one = write(&main, "one.c", "#include \"twice.h\"\nint main(void) { return twice(1) - use(); }\n");
    let two = write(&main, "two.c", "#include \"twice.h\"\nint use(void) { return twice(1); }\n");
    let ran = raveler(&["check", &one, &two]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    write(&main, "twice.h", &inline.replace("inline ", ""));
    refused(&raveler(&["check", &one, &two]), "E0201", "`twice` is defined in");
}

#[test]
fn a_violation_in_another_file_names_it() {
    let Some(main) = program() else { return };
    let bad =
        "#include <assert.h>\n#include \"shared.h\"\nvoid *worker(void *p) {\n  assert(p);\n  return p;\n}\n";
    let worker = write(&main, "worker.c", bad);
    let ran = raveler(&["check", main.path(), &worker]);
    assert_eq!(ran.code, 1, "{ran:#?}");
    assert!(ran.stdout.contains("worker.c:4"), "{}", ran.stdout);
    // Its token runs again with the same files.
    let token = ran.stdout.split_once("--replay ").expect("there is a token").1.trim();
    let again = raveler(&["check", main.path(), &worker, "--replay", token]);
    assert_eq!(again.code, 1, "{again:#?}");
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let Some(main) = program() else { return };
    let worker = Path::new(main.folder()).join("worker.c");
    let worker = worker.to_str().expect("the path is text");
    let twice = write(&main, "twice.c", "void *worker(void *unused) { return unused; }\n");
    let ran = raveler(&["check", main.path(), worker, &twice]);
    refused(&ran, "E0201", "`worker` is defined in");
    assert!(ran.stderr.contains("twice.c"), "{}", ran.stderr);
    let other = write(&main, "other.c", "int worker;\n");
    refused(&raveler(&["check", main.path(), worker, &other]), "E0201", "as different things");
    let litmus = write(&main, "sb.litmus", command::SB);
    refused(&raveler(&["check", main.path(), &litmus]), "E0004", "several files");
    let empty = tempfile::tempdir().expect("there is room for a folder");
    let folder = empty.path().to_str().expect("the path is text");
    refused(&raveler(&["check", folder]), "E0001", "is a folder without C or C++ files");
}

#[test]
fn a_build_gives_files_and_flags() {
    let Some(main) = program() else { return };
    let build = Path::new(main.folder()).join("build");
    std::fs::create_dir(&build).expect("there is room for a folder");
    let folder = build.to_str().expect("the path is text");
    let commands = format!(
        "[{{\"directory\": {folder:?}, \"file\": \"../main.c\", \"command\": \"cc -O2 -DTEN=20 -c -o m.o ../main.c\"}},\n\
         {{\"directory\": {folder:?}, \"file\": \"../worker.c\", \"arguments\": [\"cc\", \"-DTEN=20\", \"../worker.c\"]}}]"
    );
    std::fs::write(build.join("compile_commands.json"), &commands).expect("it can be written");
    let ran = raveler(&["check", "--compile-commands", folder]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    // The flags are those of the build: with others the assertion fails.
    std::fs::write(build.join("compile_commands.json"), commands.replacen("TEN=20", "TEN=30", 1))
        .expect("it can be written");
    assert_eq!(raveler(&["check", "--compile-commands", folder]).code, 1);
    let stray = write(&main, "stray.c", "int stray;\n");
    let ran = raveler(&["check", main.path(), &stray, "--compile-commands", folder]);
    refused(&ran, "E0001", "has no entry for");
    refused(&raveler(&["check", "--compile-commands", main.path()]), "E0001", "is no JSON");
}

#[test]
fn a_missing_header_is_explained() {
    if !has_clang() {
        return;
    }
    let program = file("program.c", "#include \"not_there.h\"\nint main(void) { return 0; }\n");
    let ran = raveler(&["check", program.path()]);
    refused(&ran, "E0201", "'not_there.h' file not found");
    assert!(ran.stderr.contains("-I FOLDER") && ran.stderr.contains("-std="), "{}", ran.stderr);
}

/// A race, a null pointer in some executions, and an assertion that holds.
const MIXED: &str = "#include <assert.h>
#include <pthread.h>
static int x, *null;
static void *other(void *unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  if (x)
    *null = 1;
  pthread_join(thread, 0);
  assert(x == 1);
}
";

#[test]
fn only_some_kinds_are_looked_for() {
    if !has_clang() {
        return;
    }
    let program = file("program.c", MIXED);
    assert_eq!(raveler(&["check", program.path()]).code, 1);
    for workers in ["1", "2"] {
        let ran = raveler(&["check", program.path(), "--properties", "assertion", "-j", workers, "--json"]);
        assert_eq!(ran.code, 0, "{ran:#?}");
        let result = json(&ran);
        assert_eq!(result["properties"], serde_json::json!(["assertion"]));
        assert_eq!(result["executions"], 1);
        let warnings = result["warnings"].as_array().expect("there is one");
        assert_eq!(warnings.len(), 1, "{result}");
        assert_eq!(warnings[0]["kind"], "other-violation");
        assert_eq!(warnings[0]["location"]["line"], 12);
    }
    let ran = raveler(&["check", program.path(), "--properties", "assertion,deadlock"]);
    assert!(
        ran.stdout
            .starts_with("verified: no assertion or deadlock violation, but 1 exploration ended with a"),
        "{ran:#?}"
    );
    let ran = raveler(&["check", program.path(), "--properties", "null-dereference", "--json"]);
    assert_eq!(json(&ran)["violations"][0]["kind"], "null-dereference");
    let ran = raveler(&["check", program.path(), "--properties", "race"]);
    assert!(ran.stdout.starts_with("violation: data race"), "{ran:#?}");
    let ran = raveler(&["check", program.path(), "--properties", "bugs"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("the kinds are assertion, race,"), "{}", ran.stderr);
    // Of several the first is told, and how many more there are.
    let ran = raveler(&["check", program.path(), "--all"]);
    let line = ran.stdout.lines().next().expect("there is a verdict");
    assert!(line.starts_with("violation: ") && line.contains(", and 1 more  "), "{line}");
}

/// A loop without end that is right for six rounds of the two threads together.
const ENDLESS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
  for (;;) {
    int old = atomic_fetch_add(&x, 1);
    assert(old < LIMIT);
  }
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
}
";

#[test]
fn a_bound_says_what_it_covers() {
    if !has_clang() {
        return;
    }
    let program = file("program.c", ENDLESS);
    let right = ["--", "-DLIMIT=1000"];
    let ran = raveler(&[&["check", program.path(), "--unroll", "2"][..], &right].concat());
    assert_eq!(ran.code, 3, "{ran:#?}");
    assert!(ran.stdout.contains("no violation with at most 2 rounds of each loop\n"), "{}", ran.stdout);
    let ran = raveler(&[&["check", program.path(), "--unroll", "2", "--json"][..], &right].concat());
    assert_eq!(json(&ran)["bounds"]["covered"], 2);
    // A limit ends it before everything is seen: nothing is covered.
    let ends = ENDLESS.replace("for (;;)", "for (int i = 0; i < 2; i++)");
    let ending = file("ending.c", &ends.replace("\n}\nint main", "\n  return 0;\n}\nint main"));
    let limited = ["check", ending.path(), "--unroll", "2", "--max-executions", "1", "--json"];
    let ran = raveler(&[&limited[..], &right].concat());
    assert_eq!(ran.code, 3, "{ran:#?}");
    assert_eq!(json(&ran)["bounds"]["covered"], serde_json::Value::Null);
    // Deeper and deeper: until it is wrong, until nothing is left, until a limit.
    let auto = |file: &TestFile, flag: &str| {
        raveler(&["check", file.path(), "--unroll", "auto", "--timeout", "3", "--json", "--", flag])
    };
    assert_eq!(auto(&program, "-DLIMIT=5").code, 1);
    let whole = auto(&ending, "-DLIMIT=1000");
    assert_eq!((whole.code, &json(&whole)["verdict"]), (0, &serde_json::json!("verified")));
    let limit = auto(&program, "-DLIMIT=1000");
    assert_eq!(limit.code, 3, "{limit:#?}");
    assert!(json(&limit)["bounds"]["covered"].as_u64().is_some_and(|rounds| rounds >= 2), "{limit:#?}");
    let ran = raveler(&["estimate", program.path(), "--unroll", "auto"]);
    refused(&ran, "E0004", "`--unroll auto`");
}

/// C++ files are compiled once; what changes is compiled again, and the result is the same with and without the cache.
#[test]
fn what_was_compiled_before() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (file, header) = (folder.path().join("x.cpp"), folder.path().join("x.h"));
    let cache = folder.path().join("cache");
    let write = |path: &std::path::Path, text: &str| {
        std::fs::write(path, text).expect("it can be written");
        // What has just been written is not kept, since it may change again unseen.
        std::thread::sleep(std::time::Duration::from_millis(1200));
    };
    std::fs::write(&header, "#define VALUE 1\n").expect("it can be written");
    write(&file, "#include <cassert>\n#include \"x.h\"\nint main() { assert(VALUE == 1); }\n");
    let check = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_raveler"));
        command.env("XDG_CACHE_HOME", &cache).env_remove("RAVELER_NO_CACHE").arg("check").arg(&file);
        let output = command.arg("--json").args(more).output().expect("it can be run");
        let text = String::from_utf8(output.stdout).expect("it prints text");
        let start = text.find("\"time").unwrap_or(text.len());
        (output.status.code(), text[..start].to_string())
    };
    let entries = || {
        let all = std::fs::read_dir(cache.join("raveler")).map(|all| all.flatten().count());
        all.unwrap_or_default()
    };
    let anew = check(&["--no-cache"]);
    assert_eq!((anew.0, entries()), (Some(0), 0), "{}", anew.1);
    assert_eq!(check(&[]).0, Some(0));
    assert_eq!(entries(), 1);
    assert_eq!(check(&[]).0, Some(0));
    assert_eq!(entries(), 1);
    // Another flag, another program.
    assert_eq!(check(&["--", "-UVALUE", "-DX=1"]).0, Some(0));
    assert_eq!(entries(), 2);
    write(&header, "#define VALUE 2\n");
    assert_eq!(check(&[]).0, Some(1));
    assert_eq!(entries(), 3);
    // Damaged entries are compiled again.
    for entry in std::fs::read_dir(cache.join("raveler")).expect("it is there").flatten() {
        let mut bytes = std::fs::read(entry.path()).expect("it is there");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(entry.path(), bytes).expect("it can be written");
    }
    assert_eq!(check(&[]).0, Some(1));
    assert_eq!(check(&[]).0, Some(1));
}
