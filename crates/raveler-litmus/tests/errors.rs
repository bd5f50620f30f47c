//! One test for each kind of mistake: its code, its place, and what the message says.

use raveler_core::diagnostic::Diagnostic;
use raveler_litmus::{error, parse, parse_bytes};

/// Line and column, both from 1, of an error's first byte.
fn place(text: &str, error: &Diagnostic) -> (usize, usize) {
    let start = error.span.clone().expect("errors have places").start;
    let before = &text[..start];
    (before.matches('\n').count() + 1, before.chars().rev().take_while(|c| *c != '\n').count() + 1)
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let errors =
        parse("test.litmus", text).err().unwrap_or_else(|| panic!("a mistake was expected in\n{text}"));
    assert!(!errors.is_empty() && errors.len() <= error::MAX_ERRORS);
    for error in &errors {
        assert!(error::explain(error.code).is_some(), "{} has a page", error.code);
        let span = error.span.clone().expect("errors have places");
        assert!(text.get(span).is_some(), "the span lies in the text: {error:?}");
        assert!(!error.message.is_empty());
    }
    errors
}

/// The text has exactly one mistake, and this is it.
#[track_caller]
fn one(text: &str, code: &str, at: (usize, usize), words: &[&str]) {
    let list = errors(text);
    assert_eq!(list.len(), 1, "{list:#?}");
    check(text, &list[0], code, at, words);
}

#[track_caller]
fn check(text: &str, error: &Diagnostic, code: &str, at: (usize, usize), words: &[&str]) {
    assert_eq!((error.code, place(text, error)), (code, at), "{error:#?}");
    let said = format!("{} {} {}", error.message, error.label, error.help.as_deref().unwrap_or(""));
    for word in words {
        assert!(said.contains(word), "`{word}` in {said}");
    }
}

/// A test whose P0 has this body; the body begins on line 3 at column 1.
fn body(body: &str) -> String {
    format!("C t\n{{ x=0; int a[2]; }} P0 (atomic_int* x, int* a) {{\n{body}\n}}\n")
}

/// A test with these initial values, on line 2 from column 3.
fn initial(entries: &str) -> String {
    format!("C t\n{{ {entries} }}\nP0 (int* x) {{ int r0 = *x; }}\nexists (0:r0=1)\n")
}

/// A test with this final part, on line 4.
fn ending(part: &str) -> String {
    format!("C t\n{{ }}\nP0 (int* x, int* y) {{ int r0 = *x; int r1 = *y; }}\n{part}")
}

#[test]
fn empty_file() {
    for text in ["", "\n  \n", "// nothing\n", "\u{feff}"] {
        one(text, "E0100", (1, 1), &["no litmus test", "`C NAME`"]);
    }
}

#[test]
fn not_a_litmus_file() {
    one("#include <stdio.h>\nint main() {}\n", "E0101", (1, 1), &["begins with `#include`", "`C NAME`"]);
    one("C\n{ }\n", "E0101", (1, 1), &["no name"]);
    one("\u{1}\u{2}é{{{\n", "E0101", (1, 1), &["\\u{1}"]);
}

#[test]
fn other_architectures() {
    one("X86 SB\n{ }\n", "E0102", (1, 1), &["X86", "only C tests"]);
    one("AArch64 MP\n{ }\n", "E0102", (1, 1), &["AArch64", "only C tests"]);
}

#[test]
fn not_text() {
    let errors = parse_bytes("test.litmus", b"C t\n\xff\xfe").expect_err("not UTF-8");
    assert_eq!((errors[0].code, errors[0].span.clone()), ("E0103", Some(4..5)));
    assert!(errors[0].message.contains("0xff"));
}

#[test]
fn unterminated_comments_and_strings() {
    one("C t\n/* { }\n", "E0104", (2, 1), &["comment", "no end"]);
    one("C t\n\"about { }\n", "E0104", (2, 1), &["string", "no end"]);
    let text = body("int r = 1; /* oops");
    one(&text, "E0104", (3, 12), &["comment", "no end"]);
}

#[test]
fn bad_characters() {
    one(&body("int r = 1 ` 2;").replace("` 2", "; // `\n` "), "E0105", (4, 1), &["`"]);
    one(&body("int r = 1;\nint s€€ = 2;"), "E0105", (4, 6), &["€"]);
}

#[test]
fn something_else_expected() {
    one(&body("int r = ;"), "E0106", (3, 9), &["found `;`", "an expression"]);
    one(&body("int r = 1\nint s = 2;"), "E0106", (3, 9), &["`;`", "after"]);
    one(&body("if r == 1) { }"), "E0106", (3, 4), &["`(` after `if`"]);
    one(&ending("exists (0:r0)"), "E0106", (4, 13), &["`=` or `!=`"]);
    one(&ending("exists 0:r0=1 /\\"), "E0106", (4, 15), &["end of the file", "cut off"]);
    one(&initial("x=;"), "E0106", (2, 5), &["a number or the name of a location"]);
    one("C t\nhello\n{ }\nP0 () { }\n", "E0106", (2, 1), &["`hello`", "initial state"]);
    one("C t\nP0 () { }\n", "E0106", (2, 1), &["initial state"]);
}

#[test]
fn braces() {
    one(
        "C t\n{ }\nP0 () {\n  int r = 1;\n\nP1 () { }\nexists (0:r=1)",
        "E0107",
        (3, 7),
        &["P0", "not closed"],
    );
    one("C t\n{ }\nP0 () { int r = 1; } }\nexists (0:r=1)", "E0107", (3, 22), &["closes nothing"]);
    one("C t\n{ x=0;\nP0 () { }\n", "E0107", (2, 1), &["initial state", "not closed"]);
    one("C t\n{ }\nP0 () int r = 1;\n", "E0107", (3, 7), &["does not begin with `{`"]);
}

#[test]
fn bad_numbers() {
    one(&body("int r = 99999999999999999999;"), "E0108", (3, 9), &["64 bits"]);
    one(&body("int r = 010;"), "E0108", (3, 9), &["octal"]);
    one(&body("int r = 12ab;"), "E0108", (3, 9), &["not a number"]);
}

#[test]
fn nested_too_deeply() {
    let deep = |n| body(&format!("int r = {}1{};", "(".repeat(n), ")".repeat(n)));
    assert!(parse("t", &deep(150)).is_ok());
    assert_eq!(errors(&deep(100_000))[0].code, "E0109");
    assert_eq!(errors(&body(&"{".repeat(100_000)))[0].code, "E0109");
    assert_eq!(errors(&body(&format!("int r = {}1;", "!".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&body(&format!("int r = 1{};", "+1".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&body(&format!("int r; {}", "if (r) ".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&body(&format!("int r; {}", "r = ".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&body(&format!("int r = a{};", "[0]".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&ending(&format!("exists {}true", "~".repeat(100_000))))[0].code, "E0109");
    assert_eq!(errors(&ending(&format!("exists {}", "(".repeat(100_000))))[0].code, "E0109");
    assert!(parse("t", &body(&format!("int r = 1{};", "+1".repeat(900)))).is_ok());
    let long = vec!["0:r0=1"; 10_000].join(" /\\ ");
    assert!(parse("t", &ending(&format!("exists ({long})"))).is_ok());
}

#[test]
fn threads() {
    one("C t\n{ }\nP0 () { }\nP0 () { }\n", "E0110", (4, 1), &["P0 is defined twice", "P1"]);
    one("C t\n{ }\nP0 () { }\nP2 () { }\n", "E0111", (4, 1), &["found P2", "P1 is expected"]);
    one("C t\n{ }\nP1 () { }\n", "E0111", (3, 1), &["P0 is expected"]);
    one("C t\n{ }\nexists (true)\n", "E0112", (1, 1), &["no threads"]);
    let many: String = (0..1000).map(|i| format!("P{i} () {{ }}\n")).collect();
    one(&format!("C t\n{{ }}\n{many}"), "E0112", (258, 1), &["1000 threads", "255"]);
    let most: String = (0..255).map(|i| format!("P{i} () {{ }}\n")).collect();
    assert!(parse("t", &format!("C t\n{{ }}\n{most}")).is_ok());
}

#[test]
fn unknown_types() {
    one("C t\n{ }\nP0 (spinlock_t* x) { }\n", "E0113", (3, 5), &["spinlock_t"]);
    one(&body("float r = 1;"), "E0113", (3, 1), &["float"]);
    one(&body("unsigned signed r = 1;"), "E0113", (3, 1), &["unsigned signed"]);
    one(&body("void r;"), "E0113", (3, 6), &["void"]);
}

#[test]
fn unsupported_syntax() {
    one(&body("goto end;"), "E0114", (3, 1), &["goto"]);
    one(&body("return 1;"), "E0114", (3, 8), &["return"]);
    one(&body("int r[3];"), "E0114", (3, 5), &["array", "initial state"]);
}

#[test]
fn unknown_functions() {
    one(&body("int r = atomic_fetch_mul(x, 2);"), "E0115", (3, 9), &["atomic_fetch_mul", "explain E0115"]);
    one(&body("printf(1);"), "E0115", (3, 1), &["printf"]);
}

#[test]
fn wrong_number_of_arguments() {
    one(&body("int r = atomic_load_explicit(x);"), "E0116", (3, 9), &["2 arguments", "here are 1", "order"]);
    one(&body("atomic_store(x, 1, memory_order_relaxed);"), "E0116", (3, 1), &["2 arguments", "here are 3"]);
}

#[test]
fn bad_memory_orders() {
    let load = "int r = atomic_load_explicit(x, memory_order_release);";
    one(&body(load), "E0117", (3, 33), &["a load", "release", "use relaxed"]);
    one(
        &body("atomic_store_explicit(x, 1, memory_order_acquire);"),
        "E0117",
        (3, 29),
        &["a store", "acquire"],
    );
    let cas = "atomic_compare_exchange_strong_explicit(x, a, 1, memory_order_acq_rel, memory_order_release);";
    one(&body(cas), "E0117", (3, 72), &["compare-exchange that fails", "release"]);
    one(&body("atomic_thread_fence(memory_order_full);"), "E0118", (3, 21), &["memory order", "a fence"]);
    one(&body("atomic_store_explicit(x, 1, 5);"), "E0118", (3, 29), &["memory order"]);
}

#[test]
fn undeclared_names() {
    one(&body("r0 = 1;"), "E0119", (3, 1), &["`r0` is not declared in P0", "int r0 = 0;"]);
    one(&body("{ int r = 1; }\nint s = r;"), "E0119", (4, 9), &["block that has ended"]);
    let text = "C t\n{ z=1; }\nP0 () { int r = *z; }\n";
    one(text, "E0119", (3, 18), &["location", "parameters of P0"]);
}

#[test]
fn duplicate_declarations() {
    one(&body("int r = 1;\nint r = 2;"), "E0120", (4, 5), &["`r` is declared twice"]);
    one(&body("int r = 1;\n{ int r = 2; }"), "E0120", (4, 7), &["`r` is declared twice"]);
    one(&body("int x = 1;"), "E0120", (3, 5), &["parameter `x`"]);
    one(&body("{ int r = 1; }\n{ long r = 2; }"), "E0120", (4, 8), &["long", "int"]);
    one("C t\n{ }\nP0 (int* x, int* x) { }\n", "E0120", (3, 18), &["`x`"]);
}

#[test]
fn values_that_do_not_fit() {
    one(&initial("int x=3000000000;"), "E0121", (2, 9), &["3000000000", "int", "2147483647"]);
    one(&initial("x=3000000000;"), "E0121", (2, 5), &["3000000000", "int"]);
    one(&initial("x=1; uint8_t b=-1;"), "E0121", (2, 18), &["-1", "unsigned char", "0 to 255"]);
    one(&initial("x=1; 0:r0=3000000000;"), "E0121", (2, 13), &["3000000000"]);
    one(&body("char c = 200;"), "E0121", (3, 10), &["200", "char", "-128 to 127"]);
    one(&body("*x = 5000000000;"), "E0121", (3, 6), &["5000000000"]);
    one(&ending("exists (0:r0=3000000000)"), "E0121", (4, 14), &["3000000000"]);
}

#[test]
fn type_mismatches() {
    one(&body("int r = 1; *r = 2;"), "E0122", (3, 13), &["int", "not a pointer"]);
    one(&body("int r = x;"), "E0122", (3, 9), &["address", "int *p"]);
    one(&body("int *p = 5;"), "E0122", (3, 10), &["number", "pointer"]);
    one(&body("int r = 1; int *p = &r;"), "E0122", (3, 21), &["address of a register"]);
    one(&body("int r = 1; atomic_fetch_add(&r, 1);"), "E0122", (3, 29), &["register", "locations"]);
    one(&body("int r = atomic_store(x, 1);"), "E0122", (3, 9), &["no value"]);
    one(&body("int r = -x;"), "E0122", (3, 10), &["pointer"]);
    one("C t\n{ }\nP0 (int x) { }\n", "E0122", (3, 9), &["not a pointer", "int* x"]);
    one(&initial("y=1; int x = &y;"), "E0122", (2, 17), &["address"]);
    one(&ending("exists (0:r0=&x)"), "E0122", (4, 15), &["address"]);
}

#[test]
fn locations_of_two_types() {
    one(&initial("long x = 1;"), "E0123", (3, 10), &["int here", "long above"]);
    let text = "C t\n{ }\nP0 (int* x) { }\nP1 (int** x) { }\n";
    one(text, "E0123", (4, 11), &["int* here"]);
}

#[test]
fn unknown_names_in_conditions() {
    one(&ending("exists (3:r0=1)"), "E0124", (4, 9), &["no thread P3", "only thread is P0"]);
    one(&ending("exists (0:r7=1)"), "E0125", (4, 11), &["no register `r7`", "r0, r1"]);
    one(&ending("exists (0:x=1)"), "E0125", (4, 11), &["location", "without the thread"]);
    one(&ending("exists (q=1)"), "E0126", (4, 9), &["no location `q`"]);
    one(&ending("exists (r0=1)"), "E0126", (4, 9), &["`0:r0`"]);
    one(&ending("locations [q;]"), "E0126", (4, 12), &["no location `q`"]);
    one(&ending("filter (q=1)"), "E0126", (4, 9), &["no location `q`"]);
    one(&initial("4:r0=1;"), "E0124", (2, 3), &["no thread P4"]);
}

#[test]
fn two_initial_values() {
    one(&initial("x=1; [x]=2;"), "E0127", (2, 9), &["two initial values"]);
    one(&initial("0:r0=1; 0:r0=1;"), "E0127", (2, 13), &["`r0`"]);
}

#[test]
fn arrays_out_of_range() {
    one(&initial("int b[99999999];"), "E0128", (2, 9), &["99999999", "65,536"]);
    one(&initial("int b[0];"), "E0128", (2, 9), &["0 elements"]);
    one(&initial("int b[1] = {1,2};"), "E0128", (2, 7), &["2 initial values"]);
    one(&body("int r = a[2];"), "E0128", (3, 9), &["index 2", "0 to 1"]);
    one(&body("int r = x[1];"), "E0128", (3, 9), &["single location"]);
    one(&ending("exists (x[4]=1)"), "E0128", (4, 11), &["index 4"]);
    let arrays: String = (0..30).map(|i| format!("int b{i}[65536]; ")).collect();
    assert!(errors(&initial(&arrays)).iter().all(|e| e.code == "E0128"));
}

#[test]
fn too_large() {
    let text = format!("C t\n{{ }}\nP0 () {{ {} }}\n", ";".repeat(5 << 20));
    one(&text, "E0129", (1, 1), &["bytes"]);
    let many: String = (0..40_000).map(|i| format!("int r{i};")).collect();
    one(&body(&many), "E0129", (2, 20), &["40000 registers"]);
    let statements = "int r = 1; ".to_string() + &"r++;".repeat(1_000_000);
    assert!(parse("t", &body(&statements)).is_ok());
}

#[test]
fn outside_of_loops() {
    one(&body("break;"), "E0130", (3, 1), &["`break`", "outside"]);
    one(&body("if (1) continue;"), "E0130", (3, 8), &["`continue`"]);
}

#[test]
fn not_assignable() {
    one(&body("x = 1;"), "E0131", (3, 1), &["parameter `x`", "`*x`"]);
    one(&body("1 = 2;"), "E0131", (3, 1), &["cannot be assigned"]);
    one(&body("int r; (r + 1)++;"), "E0131", (3, 8), &["cannot be assigned"]);
}

#[test]
fn two_conditions() {
    one(&ending("exists (x=1)\nforall (x=1)"), "E0132", (5, 1), &["second condition"]);
    one(&ending("locations [x;]\nlocations [y;]"), "E0132", (5, 1), &["second locations"]);
}

#[test]
fn several_mistakes_at_once() {
    let text = "C t\n{ x=; y=2 }\nP0 (int* x) {\n  int r = ;\n  r = 2;\n  if (r { }\n}\nP1 (float* x) { }\nexists (1:r=)\n";
    let list = errors(text);
    let lines: Vec<usize> = list.iter().map(|error| place(text, error).0).collect();
    assert_eq!(lines, [2, 4, 6, 8, 9], "{list:#?}");
    let text = body("a0 = 1;\nint r = b0;\natomic_load(x, x);\nfoo();\n*x = c0;");
    let lines: Vec<usize> = errors(&text).iter().map(|error| place(&text, error).0).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
    assert_eq!(errors(&body(&"u = 1;\n".repeat(500))).len(), error::MAX_ERRORS);
    assert_eq!(errors(&body(&"= 1;\n".repeat(500))).len(), error::MAX_ERRORS);
}
