//! What is refused, where, and in which words.

use raveler_c::ir::read;

fn refused(text: &str) -> (u32, u32, String) {
    let error = read(text).expect_err(text);
    (error.line, error.column, error.message)
}

/// Line and column of the error, and a part of its message.
#[track_caller]
fn check(text: &str, line: u32, column: u32, part: &str) {
    let found = refused(text);
    assert_eq!((found.0, found.1), (line, column), "{}", found.2);
    assert!(found.2.contains(part), "{}", found.2);
}

/// The same for a line of a function.
#[track_caller]
fn check_line(line: &str, column: u32, part: &str) {
    check(&format!("define void @f(i32 %a, ptr %p) {{\n{line}\n  unreachable\n}}\n"), 2, column, part);
}

#[test]
fn unknown_things() {
    check("hello", 1, 1, "expected a definition, found `hello`");
    check("\n  @x = global bfloat 0", 2, 15, "the type `bfloat` is not known");
    check("@x = global i32 frob", 1, 17, "the constant `frob` is not known");
    check("@x = global target(\"spirv\") undef", 1, 13, "the type `target` is not known");
    check("@x = ifunc void (), ptr @y", 1, 6, "`ifunc` is not supported");
    check("module asm \"nop\"", 1, 1, "assembly");
    check("@x = sideways global i32 0", 1, 6, "expected `global` or `constant`, found `sideways`");
    check("@é = global i32 0", 1, 1, "a name is missing");
    check("é", 1, 1, "is not LLVM IR");
    check_line("  %x = frobnicate i32 %a", 8, "the instruction `frobnicate` is not known");
    check_line("  callbr void asm \"\", \"\"() to label %x []", 3, "`asm goto`");
    check_line("  %x = icmp above i32 %a, 0", 19, "expected a condition");
    check_line(
        "  %x = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst",
        18,
        "`atomicrmw uinc_wrap` is not supported",
    );
    check_line("  %x = load atomic i32, ptr %p syncscope(\"agent\") acquire", 42, "scope");
    check_line("  %x = load atomic i32, ptr %p, align 4", 31, "expected an atomic order, found `,`");
    check_line("  %x = load i32, ptr %p acquire", 25, "the instruction `acquire`");
    check_line("  #other_record(ptr %p)", 3, "`#other_record` is not known");
}

#[test]
fn types_that_do_not_agree() {
    check("@x = global i32 null", 1, 17, "`null` cannot have this type");
    check("@x = global i32 1.0", 1, 17, "floating-point");
    check("@x = global float 1", 1, 19, "an integer cannot have this type");
    check("@x = global i8 300", 1, 16, "300 does not fit into i8");
    check("@x = global [2 x i32] [i32 1]", 1, 23, "do not fit");
    check("@x = global { i32 } <{ i32 1 }>", 1, 21, "do not fit");
    check("@x = global [2 x i8] c\"abc\"", 1, 22, "does not fit");
    check("@x = global i32 ptrtoint (ptr null to i64)", 1, 17, "does not have the type");
    check("@x = global void undef", 1, 13, "cannot have this type");
    check("@x = global [2 x void] undef", 1, 18, "cannot be in memory");
    check_line("  %x = add i64 %a, 1", 16, "`%a` is used here with another type");
    check_line("  %x = add double 1.0, 2.0", 19, "`add` cannot have this type");
    check_line("  %x = load i32, i32 %a", 18, "expected a pointer");
    check_line("  ret i32 0", 7, "the function returns another type");
    check_line("  %x = fence seq_cst", 3, "no result");
    check_line("  br i32 %a, label %x, label %x", 12, "i1");
    check_line("  %x = extractvalue { i32 } undef, 1", 36, "no member 1");
    check_line("  store atomic i32 1, ptr %p, align 4", 29, "expected an atomic order");
}

#[test]
fn names_that_are_missing_or_taken() {
    check("@x = global i32 0\n@x = global i32 0", 2, 1, "`@x` is defined twice");
    check("@x = global ptr @y", 1, 17, "`@y` is not defined or declared");
    check("%t = type { i32 }\n%t = type { i32 }", 2, 1, "defined twice");
    check("@x = external global %t", 1, 22, "the type `%t` is not defined");
    check("%t = type { %u }\n%u = type { [2 x %t] }", 1, 1, "contains itself");
    check("%t = type i32", 1, 11, "only a struct");
    check_line("  %a = add i32 1, 2", 3, "`%a` is defined twice");
    check_line("  %x = add i32 %y, 2", 16, "the value `%y` is not defined");
    check_line("  br label %nowhere", 12, "this block is not defined");
    check("define void @f(i32 %7, i32 %6) {\n  ret void\n}", 1, 28, "does not rise");
}

#[test]
fn blocks_that_do_not_end() {
    check("define void @f() {\n  fence seq_cst\nx:\n  ret void\n}", 3, 1, "does not end");
    check("define void @f() {\n  fence seq_cst\n}", 3, 1, "does not end");
    check("define void @f() {\n}", 2, 1, "without instructions");
    check("define void @f() {\n  ret void\n", 3, 1, "expected an instruction, found the end of the text");
    check("define void @f() {\n  fence seq_cst\n  %x = phi i32 [ 0, %y ]\n", 3, 3, "start of its block");
}

#[test]
fn what_is_not_complete() {
    check("@x = global", 1, 12, "expected a type, found the end of the text");
    check("@x = global [2 x", 1, 17, "expected a type");
    check("source_filename = \"a", 1, 19, "does not end");
    check("attributes #0 = { nounwind", 1, 18, "never closed");
    check("!0 = !DIFile(filename: \"a\"", 1, 14, "never closed");
    check("!0 = ", 1, 6, "expected metadata");
    check("declare void @f(i32", 1, 20, "expected `)`");
    check("define void @f() !dbg {\n  ret void\n}", 1, 23, "expected metadata");
}
