//! Whatever the installed compilers make of the programs in `snippets` is read.

use std::path::{Path, PathBuf};
use std::process::Command;

use raveler_c::ir::{Function, Instruction, Module, Op, Order, read};

use crate::sound;

/// The compilers on this machine, without those that are another one under a second name.
fn compilers() -> Vec<String> {
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    let names = std::iter::once("clang".to_string()).chain((14..=22).rev().map(|v| format!("clang-{v}")));
    for name in names {
        let Ok(output) = Command::new(&name).arg("--version").output() else { continue };
        if output.status.success() && found.iter().all(|(_, version)| *version != output.stdout) {
            found.push((name, output.stdout));
        }
    }
    if found.is_empty() {
        println!("skipped: there is no clang here");
    }
    // The default and the newest: what lies between them brings no syntax of its own.
    found.into_iter().map(|(name, _)| name).take(2).collect()
}

fn snippets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir/snippets")
}

/// The IR of a snippet; None if this compiler cannot compile it, for which headers may be missing.
fn compile(compiler: &str, snippet: &str, flags: &[&str]) -> Option<String> {
    let language: &[&str] =
        if snippet.ends_with(".cpp") { &["-x", "c++", "-std=c++17"] } else { &["-std=gnu11"] };
    let output = Command::new(compiler)
        .args(["-S", "-emit-llvm", "-g", "-w", "-pthread", "-o", "-"])
        .args(language)
        .args(flags)
        .arg(snippets().join(snippet))
        .output()
        .expect("the compiler answered before");
    if !output.status.success() {
        println!("skipped: {compiler} {flags:?} {snippet}: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(String::from_utf8(output.stdout).expect("clang escapes what is not ASCII"))
}

pub fn read_well(text: &str, what: &str) -> Module {
    let module = match read(text) {
        Ok(module) => module,
        Err(error) => {
            let line = text.lines().nth(error.line as usize - 1).unwrap_or("");
            panic!("{what}:{}:{}: {}\n{line}", error.line, error.column, error.message)
        }
    };
    sound::check(&module);
    module
}

const LEVELS: [&[&str]; 4] =
    [&["-O0"], &["-O1"], &["-O0", "-fno-discard-value-names"], &["-O2", "-march=haswell"]];

/// One snippet by all compilers, with several sets of flags; fewer for C++, where headers take long.
fn everywhere(snippet: &str, look: impl Fn(&Module, &str)) {
    for compiler in compilers() {
        let few = snippet.ends_with(".cpp");
        for flags in LEVELS.into_iter().take(if few { 2 } else { 4 }) {
            let Some(text) = compile(&compiler, snippet, flags) else { continue };
            let module = read_well(&text, &format!("{compiler} {flags:?} {snippet}"));
            assert_eq!(instructions(&module).count(), count_lines(&text), "{compiler} {flags:?} {snippet}");
            look(&module, flags[0]);
        }
    }
}

fn instructions(module: &Module) -> impl Iterator<Item = &Instruction> {
    module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions)
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.function(name).unwrap_or_else(|| panic!("there is no function {name}"))
}

/// How many instructions there are by the look of the lines: those indented by two, except notes to debuggers and casts from
/// pointer to pointer, which only give a name.
fn count_lines(text: &str) -> usize {
    let mut inside = false;
    let mut count = 0;
    for line in text.lines() {
        if line.starts_with("define ") {
            inside = true;
        } else if line == "}" {
            inside = false;
        }
        let body = line.strip_prefix("  ").filter(|body| !body.starts_with([' ', ']', '#', ';']));
        let is_name = |body: &str| {
            let cast = body.split_once(" = bitcast ").and_then(|(_, cast)| cast.split_once(" to "));
            cast.is_some_and(|(from, _)| from.contains("* %"))
        };
        if inside && body.is_some_and(|body| !body.contains("call void @llvm.dbg.") && !is_name(body)) {
            count += 1;
        }
    }
    count
}

#[test]
fn layout() {
    everywhere("layout.c", |module, _| {
        let global = |name: &str| module.globals.iter().find(|g| g.name == name).expect("it is in the file");
        assert!(global("elsewhere").weak && global("elsewhere").initial.is_none());
        assert_eq!(global("placed").align, 64);
        assert_eq!(module.aliases.len(), 1);
        assert_eq!(global("first").variable.as_ref().map(|v| v.name.as_str()), Some("first"));
    });
}

#[test]
fn control() {
    everywhere("control.c", |module, level| {
        assert!(function(module, "variable").variadic);
        let jumps = |f: &str| {
            let blocks = function(module, f).blocks.iter();
            blocks.flat_map(|b| &b.instructions).filter(|i| matches!(i.op, Op::IndirectBranch { .. })).count()
        };
        assert!(jumps("interpret") > 0);
        if level == "-O0" {
            let large = function(module, "pass").parameters.iter().any(|p| p.by_value.is_some());
            assert!(large, "a large struct is passed as a copy");
        }
    });
}

#[test]
fn numbers() {
    everywhere("numbers.c", |_, _| {});
}

#[test]
fn threads() {
    everywhere("threads.c", |module, _| {
        let own = module.globals.iter().find(|g| g.name == "own").expect("it is in the file");
        assert!(own.thread_local);
        assert!(module.globals.iter().any(|g| g.name == "llvm.global_ctors"));
    });
}

#[test]
fn atomics() {
    everywhere("atomics.c", |module, level| {
        if level != "-O0" {
            return;
        }
        let count = |name: &str, what: &dyn Fn(&Op) -> bool| {
            let blocks = function(module, name).blocks.iter();
            blocks.flat_map(|b| &b.instructions).filter(|i| what(&i.op)).count()
        };
        let pairs = |s: Order, f: Order| {
            count(
                "exchanges",
                &|op| matches!(op, Op::CompareExchange { success, failure, .. } if (*success, *failure) == (s, f)),
            )
        };
        assert_eq!(pairs(Order::Monotonic, Order::SeqCst), 1);
        assert_eq!(pairs(Order::Release, Order::Acquire), 1);
        assert_eq!(count("exchanges", &|op| matches!(op, Op::CompareExchange { .. })), 15);
        assert_eq!(count("exchanges", &|op| matches!(op, Op::CompareExchange { weak: true, .. })), 4);
        assert_eq!(count("fences", &|op| matches!(op, Op::Fence { single_thread: false, .. })), 5);
        assert_eq!(count("fences", &|op| matches!(op, Op::Fence { single_thread: true, .. })), 1);
        for instruction in instructions(module) {
            let atomic = match &instruction.op {
                Op::Load { order, .. } | Op::Store { order, .. } => order.is_some(),
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence { .. } => true,
                _ => false,
            };
            assert!(!atomic || instruction.location.is_some(), "line {} has no place", instruction.line);
        }
    });
}

#[test]
fn concurrent_classes() {
    everywhere("concurrent.cpp", |_, _| {});
}

#[test]
fn objects() {
    everywhere("objects.cpp", |module, level| {
        if level == "-O0" {
            assert!(instructions(module).any(|i| matches!(i.op, Op::Call { invoke: Some(_), .. })));
            assert!(instructions(module).any(|i| matches!(i.op, Op::LandingPad { .. })));
        }
    });
}
