//! The text of a whole program: headers, shared objects, threads, `main`.

use std::fmt::Write;

use super::shape::{Atom, Home, Shape, Start};
use super::statements::Writer;
use crate::programs::ast::{Program, Stmt, VarKind, visit};
use crate::programs::print::{Used, var};

/// The program in C++.
pub fn print(program: &Program, seed: u64) -> String {
    let shape = Shape::of(program, seed);
    let used = Used::of(program);
    let mut out = String::new();
    headers(program, &shape, &used, &mut out);
    if used.nodes {
        // In C++20 an atomic object is zero at first, which is not what the machines take it to be.
        let kind = if shape.newer { "int" } else { "std::atomic<int>" };
        let _ = writeln!(out, "\nstruct node {{\n  {kind} a;\n  int d;\n}};");
    }
    objects(program, &shape, &used, &mut out);
    if program.has(|stmt| *stmt == Stmt::ExitInside) && shape.throws {
        out.push_str("\nstatic void leave() { pthread_exit(nullptr); }\n");
    }
    if shape.throws {
        out.push_str(
            "\nstruct stop {\n  int number;\n};\nstatic void give_up(int number) { throw stop{number}; }\n",
        );
    }
    if !shape.lambdas {
        for (index, thread) in program.threads.iter().enumerate() {
            if function_of(program, index) == index {
                let parameter = if shape.home == Home::Main { "shared &s" } else { "" };
                let _ = writeln!(out, "\nstatic void t{}({parameter}) {{", index + 1);
                let mut writer = Writer::new(program, &shape, index + 1, &mut out);
                writer.body(thread, 1);
                out.push_str("}\n");
            }
        }
    }
    main(program, &shape, &mut out);
    out
}

/// The thread whose function this one has.
fn function_of(program: &Program, index: usize) -> usize {
    let thread = &program.threads[index];
    let mut observes = false;
    visit(thread, &mut |stmt| observes |= matches!(stmt, Stmt::Observe(_)));
    let same = program.threads.iter().position(|other| other == thread);
    same.filter(|_| !observes).unwrap_or(index)
}

fn headers(program: &Program, shape: &Shape, used: &Used, out: &mut String) {
    out.push_str(if shape.newer { "// C++20" } else { "// C++17" });
    out.push_str(if shape.throws { "; it may throw or unwind\n" } else { "\n" });
    let asynchronous = matches!(shape.start, Start::Async | Start::Task);
    let headers = [
        ("atomic", true),
        ("barrier", !program.phased.is_empty()),
        ("cassert", used.asserts),
        ("condition_variable", used.conditions),
        ("cstdlib", used.nodes && shape.malloc),
        ("functional", shape.home == Home::Main),
        ("future", asynchronous),
        ("latch", !program.latches.is_empty()),
        ("memory", used.nodes),
        ("mutex", used.mutexes != 0 || used.rwlocks || used.onces),
        ("optional", !program.phased.is_empty()),
        ("pthread.h", shape.throws),
        ("semaphore", used.semaphores),
        ("shared_mutex", used.rwlocks),
        ("thread", true),
        ("vector", shape.start == Start::Vector),
        ("raveler.h", true),
    ];
    for (name, _) in headers.iter().filter(|(_, used)| *used) {
        let _ = writeln!(out, "#include <{name}>");
    }
}

/// Type, name, what is given to the constructor (in a struct: braces), and whether it has a destructor.
struct Object {
    class: String,
    name: String,
    initial: String,
    ends: bool,
}

fn objects(program: &Program, shape: &Shape, used: &Used, out: &mut String) {
    let mut all: Vec<Object> = Vec::new();
    let mut add = |class: &str, name: String, initial: String, ends: bool| {
        all.push(Object { class: class.to_string(), name, initial, ends });
    };
    for (index, kind) in program.vars.iter().enumerate().filter(|(index, _)| used.vars & 1 << index != 0) {
        let name = var(program, index as u8);
        match (kind, shape.atoms[index]) {
            (VarKind::Atomic, Atom::Flag) => add("std::atomic_flag", name, String::new(), false),
            (VarKind::Atomic, Atom::Atomic) => add("std::atomic<int>", name, "0".into(), false),
            (VarKind::Atomic, Atom::Ref) | (VarKind::Plain, _) => add("int", name, "0".into(), false),
            (VarKind::AtomicPointer, _) => add("std::atomic<node *>", name, "nullptr".into(), false),
        }
    }
    for m in (0..program.mutexes).filter(|m| used.mutexes & 1 << m != 0) {
        add("std::mutex", format!("m{m}"), String::new(), false);
    }
    for w in (0..program.rwlocks).filter(|_| used.rwlocks) {
        add("std::shared_mutex", format!("w{w}"), String::new(), false);
    }
    for c in (0..program.conditions).filter(|_| used.conditions) {
        add("std::condition_variable", format!("c{c}"), String::new(), true);
    }
    for (s, value) in program.semaphores.iter().enumerate().filter(|_| used.semaphores) {
        add("std::counting_semaphore<>", format!("s{s}"), value.to_string(), false);
    }
    for (l, value) in program.latches.iter().enumerate().filter(|_| used.latches) {
        add("std::latch", format!("l{l}"), value.to_string(), false);
    }
    for o in (0..program.onces.len()).filter(|_| used.onces) {
        add("std::once_flag", format!("o{o}"), String::new(), false);
    }
    let in_struct = shape.home != Home::Globals;
    let mut ends = String::new();
    for (b, barrier) in program.phased.iter().enumerate().filter(|_| used.barriers) {
        let count = barrier.count;
        if barrier.completion.is_empty() {
            add("std::barrier<>", format!("b{b}"), count.to_string(), true);
            continue;
        }
        let mut body = String::new();
        let mut writer = Writer::new(program, shape, 0, &mut body);
        writer.completion(&barrier.completion);
        let pointer = !in_struct && shape.spelling.pick("completion", &b, 2) == 0;
        if in_struct {
            let _ = write!(
                out,
                "\nstruct shared;\nstruct end{b} {{\n  shared &s;\n  void operator()() noexcept;\n}};\n"
            );
            let _ = write!(ends, "\nvoid end{b}::operator()() noexcept {{\n{body}}}\n");
            add(&format!("std::barrier<end{b}>"), format!("b{b}"), format!("{count}, end{b}{{*this}}"), true);
        } else if pointer {
            let _ = write!(ends, "\nstatic void end{b}() noexcept {{\n{body}}}\n");
            add("std::barrier<void (*)() noexcept>", format!("b{b}"), format!("{count}, end{b}"), true);
        } else {
            let _ = write!(ends, "\nstruct end{b} {{\n  void operator()() noexcept {{\n{body}  }}\n}};\n");
            add(&format!("std::barrier<end{b}>"), format!("b{b}"), count.to_string(), true);
        }
    }
    out.push('\n');
    if in_struct {
        out.push_str("struct shared {\n");
        for Object { class, name, initial, .. } in &all {
            let initial = if initial.is_empty() { String::new() } else { format!("{{{initial}}}") };
            let _ = writeln!(out, "  {class} {name}{initial};");
        }
        out.push_str("};\n");
        if shape.home == Home::Struct {
            let leaked = shape.outlived && all.iter().any(|object| object.ends);
            out.push_str(if leaked { "static shared &s = *new shared;\n" } else { "static shared s;\n" });
        }
        out.push_str(&ends);
    } else {
        let (last, first): (Vec<_>, Vec<_>) =
            all.iter().partition(|object| object.class.starts_with("std::barrier<"));
        for (number, Object { class, name, initial, ends: has_end }) in
            first.into_iter().chain(last).enumerate()
        {
            if number == all.len() - program.phased.len() {
                out.push_str(&ends);
            }
            let given = if initial.is_empty() { String::new() } else { format!("({initial})") };
            let _ = match (shape.outlived && *has_end, given.is_empty()) {
                (true, _) => writeln!(out, "static {class} &{name} = *new {class}{given};"),
                (false, true) => writeln!(out, "static {class} {name};"),
                (false, false) => writeln!(out, "static {class} {name}{given};"),
            };
        }
    }
    for o in (0..program.onces.len()).filter(|_| used.onces && shape.home != Home::Main) {
        let adds = var(program, program.onces[o]);
        let object = match shape.atoms[usize::from(program.onces[o])] {
            Atom::Ref => format!("std::atomic_ref<int>{{{}{adds}}}", shape.prefix()),
            _ => format!("{}{adds}", shape.prefix()),
        };
        let add = format!("{object}.fetch_add(1, std::memory_order_relaxed)");
        let _ = match shape.spelling.pick("once", &o, 2) {
            0 => writeln!(
                out,
                "static void once{o}() {{ std::call_once({}o{o}, [] {{ {add}; }}); }}",
                shape.prefix()
            ),
            _ => {
                writeln!(out, "static void once{o}() {{\n  static const int made = {add};\n  (void)made;\n}}")
            }
        };
    }
}

fn main(program: &Program, shape: &Shape, out: &mut String) {
    out.push_str("\nint main() {\n");
    if shape.home == Home::Main {
        out.push_str("  shared s;\n");
    }
    let main = &program.main;
    let all = [&main.before[..], &main.middle, &main.after].concat();
    let mut writer = Writer::new(program, shape, 0, out);
    writer.registers(&all, 1);
    writer.list(&main.before, 1);
    let count = program.threads.len();
    if shape.start == Start::Vector {
        writer.out.push_str("  std::vector<std::thread> threads;\n");
        if shape.spelling.pick("reserve", &count, 2) == 0 {
            let _ = writeln!(writer.out, "  threads.reserve({count});");
        }
    }
    for index in 0..count {
        start(program, shape, index, &mut writer);
    }
    writer.list(&main.middle, 1);
    if shape.start == Start::Vector {
        writer.out.push_str("  for (std::thread &thread : threads)\n    thread.join();\n");
    } else {
        for (index, _) in main.joined.iter().enumerate().filter(|(_, joined)| **joined) {
            let h = index + 1;
            let _ = match shape.start {
                Start::Async if shape.spelling.pick("wait", &index, 2) == 0 => {
                    writeln!(writer.out, "  h{h}.wait();")
                }
                Start::Async => writeln!(writer.out, "  h{h}.get();"),
                Start::Task => writeln!(writer.out, "  h{h}.join();\n  f{h}.get();"),
                _ => writeln!(writer.out, "  h{h}.join();"),
            };
        }
    }
    writer.list(&main.after, 1);
    out.push_str("}\n");
}

/// Starts a thread.
fn start(program: &Program, shape: &Shape, index: usize, writer: &mut Writer<'_>) {
    let h = index + 1;
    let local = shape.home == Home::Main;
    let (open, close) = match shape.start {
        Start::Thread if shape.outlived => {
            (format!("std::thread &h{h} = *new std::thread("), ");".to_string())
        }
        Start::Thread => (format!("std::thread h{h}("), ");".to_string()),
        Start::Jthread => (format!("std::jthread h{h}("), ");".to_string()),
        Start::Vector => ("threads.emplace_back(".to_string(), ");".to_string()),
        Start::Async => {
            (format!("std::future<void> h{h} = std::async(std::launch::async, "), ");".to_string())
        }
        Start::Task => (
            format!("std::packaged_task<void()> k{h}("),
            format!(
                ");\n  std::future<void> f{h} = k{h}.get_future();\n  std::thread h{h}(std::move(k{h}));"
            ),
        ),
    };
    let function = function_of(program, index) + 1;
    if shape.lambdas {
        let capture = if local { "&s" } else { "" };
        let _ = writeln!(writer.out, "  {open}[{capture}] {{");
        let mut inner = Writer::new(program, shape, h, writer.out);
        inner.body(&program.threads[index], 2);
        let _ = writeln!(writer.out, "  }}{close}");
    } else if local && shape.start == Start::Task {
        let _ = writeln!(writer.out, "  {open}[&s] {{ t{function}(s); }}{close}");
    } else if local {
        let _ = writeln!(writer.out, "  {open}t{function}, std::ref(s){close}");
    } else {
        let _ = writeln!(writer.out, "  {open}t{function}{close}");
    }
    if !program.main.joined[index] {
        let _ = writeln!(writer.out, "  h{h}.detach();");
    }
}
