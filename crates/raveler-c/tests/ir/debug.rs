//! Places and names in the source.

use raveler_c::ir::{Module, Variable, read};

const NODES: &str = r#"
!llvm.dbg.cu = !{!2}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "count", scope: !2, file: !3, line: 2, type: !9, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang, (of) course", emissionKind: FullDebug)
!3 = !DIFile(filename: "a.c", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!4 = !DIFile(filename: "b.h", directory: "/src")
!5 = distinct !DISubprogram(name: "work", linkageName: "_Z4workv", scope: !3, file: !3, line: 7, unit: !2)
!6 = distinct !DILexicalBlock(scope: !5, file: !3, line: 8, column: 3)
!7 = !DILexicalBlockFile(scope: !6, file: !4, discriminator: 0)
!8 = !DILocalVariable(name: "i", scope: !6, file: !3, line: 9, type: !9)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DILocation(line: 9, column: 5, scope: !6)
!11 = !DILocation(line: 1, scope: !7)
!12 = distinct !DISubprogram(name: "inlined", scope: !3, file: !4, line: 3, unit: !2)
!13 = !DILocation(line: 4, column: 2, scope: !12, inlinedAt: !14)
!14 = distinct !DILocation(line: 10, column: 6, scope: !5)
"#;

fn module(body: &str) -> Module {
    let text = format!("{body}\n{NODES}");
    read(&text).expect("good text")
}

fn variable(name: &str, file: u32, line: u32) -> Variable {
    Variable {
        name: name.into(),
        file: Some(file),
        line,
        scope: None,
        shape: raveler_core::program::Shape::Whole,
        points_to: None,
    }
}

#[test]
fn scopes_give_file_and_function() {
    let module = module(
        "define void @work() !dbg !5 {\n  fence seq_cst, !dbg !10\n  fence seq_cst, !dbg !11\n  fence seq_cst, !dbg !10\n  \
         fence seq_cst, !dbg !13\n  ret void, !dbg !DILocation(line: 12, column: 1, scope: !5)\n}",
    );
    let found: Vec<_> = module.functions[0].blocks[0].instructions.iter().map(|i| i.location).collect();
    assert_eq!(found, [Some(0), Some(1), Some(0), Some(2), Some(3)]);
    let places: Vec<_> = module.debug.locations.iter().collect();
    let place = |i: usize| {
        let l = places[i];
        (module.debug.files[l.file as usize].as_str(), l.line, l.column, l.function.as_str(), l.inlined_at)
    };
    assert_eq!(place(0), ("a.c", 9, 5, "work", None));
    assert_eq!(place(1), ("b.h", 1, 0, "work", None));
    assert_eq!(place(2), ("b.h", 4, 2, "inlined", Some(4)));
    assert_eq!(place(3), ("a.c", 12, 1, "work", None));
    assert_eq!(place(4), ("a.c", 10, 6, "work", None));
    assert_eq!(module.functions[0].subprogram.as_ref().map(|s| (s.name.as_str(), s.line)), Some(("work", 7)));
}

#[test]
fn calls_and_records_name_the_same_variables() {
    let call = module(
        "declare void @llvm.dbg.declare(metadata, metadata, metadata)\n\
         define void @work() {\n  %1 = alloca i32, align 4\n  \
         call void @llvm.dbg.declare(metadata i32* %1, metadata !8, metadata !DIExpression()), !dbg !10\n  \
         call void @llvm.dbg.declare(metadata i32* %1, metadata !8, metadata !DIExpression(DW_OP_deref)), !dbg !10\n  \
         call void @llvm.dbg.value(metadata i32 0, metadata !8, metadata !DIExpression()), !dbg !10\n  ret void\n}",
    );
    let record = module(
        "define void @work() {\n  %1 = alloca i32, align 4\n  \
         #dbg_declare(ptr %1, !8, !DIExpression(), !10)\n    \
         #dbg_declare(ptr %1, !8, !DIExpression(DW_OP_plus_uconst, 4), !10)\n    \
         #dbg_declare(ptr poison, !8, !DIExpression(), !10)\n    \
         #dbg_value(!DIArgList(i32 0, i32 1), !8, !DIExpression(DW_OP_LLVM_arg, 0), !10)\n    \
         #dbg_label(!8, !10)\n  ret void\n}",
    );
    for module in [call, record] {
        let function = module.function("work").expect("it is in the text");
        assert_eq!(function.blocks[0].instructions.len(), 2, "notes are no instructions");
        assert_eq!(function.variables, [(0, variable("i", 0, 9))]);
    }
}

#[test]
fn globals_have_names() {
    let module = module("@_ZL5count = internal global i32 0, align 4, !dbg !0\n@other = global i32 1");
    assert_eq!(module.globals[0].variable, Some(variable("count", 0, 2)));
    assert_eq!(module.globals[1].variable, None);
}

#[test]
fn declarations_may_be_described() {
    let module = module("declare !dbg !5 void @_Z4workv()");
    assert_eq!(module.functions[0].subprogram, Some(variable("work", 0, 7)));
}

#[test]
fn the_directory_tells_files_of_one_name_apart() {
    let text = "define void @f() {\n  fence seq_cst, !dbg !1\n  ret void, !dbg !2\n}\n\
        !1 = !DILocation(line: 1, scope: !3)\n!2 = !DILocation(line: 2, scope: !4)\n\
        !3 = distinct !DISubprogram(name: \"f\", file: !5)\n!4 = distinct !DISubprogram(name: \"g\", file: !6)\n\
        !5 = !DIFile(filename: \"x.h\", directory: \"/one\")\n!6 = !DIFile(filename: \"x.h\", directory: \"/two\")\n";
    let module = read(text).expect("good text");
    assert_eq!(module.debug.files, ["/one/x.h", "/two/x.h"]);
}

fn refused(body: &str) -> String {
    read(body).expect_err("bad text").message
}

#[test]
fn what_is_missing_or_in_circles() {
    let body = "define void @f() {\n  ret void, !dbg !1\n}\n";
    assert!(refused(body).contains("`!1` is not defined"));
    let f =
        format!("{body}!1 = !DILocation(line: 1, scope: !2, inlinedAt: !1)\n!2 = distinct !DISubprogram()\n");
    assert!(refused(&f).contains("inlined into itself"));
    let f = format!("{body}!1 = !DILocation(line: 1, scope: !2)\n!2 = !DILexicalBlock(scope: !2)\n");
    assert!(refused(&f).contains("within itself"));
    assert!(refused(&format!("{body}!1 = !DIFile(filename: \"x\")\n")).contains("expected a location"));
    assert!(refused(&format!("{body}!1 = !{{}}\n")).contains("expected metadata with fields"));
    assert!(refused(&format!("{body}!1 = !DILocation(line: x, scope: !1)\n")).contains("a number"));
    assert!(refused("!1 = !{}\n!1 = !{}\n").contains("twice"));
}
