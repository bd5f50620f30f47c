//! Small texts, one construct each, in the words of old and new versions of clang.
//!
//! This file is long because it is a list of texts.

use raveler_c::ir::{
    Argument, Binary, Callee, Cast, Clause, Compare, Constant, Function, FunctionType, Module, Op, Operand,
    Order, Parameter, Rmw, Type, Value,
};

use crate::compiled::read_well;

const I8: Type = Type::Int(8);
const I32: Type = Type::Int(32);
const I64: Type = Type::Int(64);

fn module(text: &str) -> Module {
    read_well(text, "text")
}

/// A function around these lines, which end it.
fn function(parameters: &str, lines: &str) -> Function {
    let module = module(&format!("{TYPE} define void @f({parameters}) {{\n{lines}\n}}\n{REST}"));
    module.functions.into_iter().find(|f| f.name == "f").expect("it is in the text")
}

/// What the functions above may mention.
const REST: &str = "@g = global i32 0
declare i32 @printf(ptr, ...)
declare void @h()
";

const TYPE: &str = "%struct.s = type { i32, [4 x i8] }";

/// The operation of the first instruction.
fn op(parameters: &str, line: &str) -> Op {
    let function = function(parameters, &format!("{line}\n  unreachable"));
    function.blocks[0].instructions[0].op.clone()
}

/// The type of the first result.
fn result(parameters: &str, line: &str) -> Type {
    let function = function(parameters, &format!("{line}\n  unreachable"));
    let local = function.blocks[0].instructions[0].result.expect("it has a result");
    function.local_types[local as usize].clone()
}

/// A global's type and first value.
fn initial(text: &str) -> (Type, Constant) {
    let module = module(&format!("{TYPE} @x = global {text}\n{REST}"));
    let x = module.globals.into_iter().find(|g| g.name == "x").expect("it is in the text");
    (x.ty, x.initial.expect("it has one"))
}

fn local(ty: Type, index: u32) -> Operand {
    Operand { ty, value: Value::Local(index) }
}

fn number(ty: Type, value: u128) -> Operand {
    Operand { ty, value: Value::Constant(Constant::Int(value)) }
}

fn int(value: u128) -> Value {
    Value::Constant(Constant::Int(value))
}

fn array(count: u64, element: Type) -> Type {
    Type::Array(count, Box::new(element))
}

fn vector(count: u64, element: Type) -> Type {
    Type::Vector(count, Box::new(element))
}

fn fields(fields: &[Type]) -> Type {
    Type::Struct { fields: fields.to_vec(), packed: false }
}

#[test]
fn typed_and_opaque_pointers_read_alike() {
    for pointer in [
        "ptr",
        "i32*",
        "%struct.s**",
        "i32 (i8*)*",
        "i32 (i8*, ...)**",
        "i8 addrspace(3)*",
        "ptr addrspace(3)",
        "void ()*",
        "[3 x i32]*",
        "{ i32, i8* }*",
        "<2 x i8>*",
        "void (i32 (i8*)*)*",
    ] {
        assert_eq!(
            function(&format!("{pointer} %p"), "  ret void").parameters[0].ty,
            Type::Pointer,
            "{pointer}"
        );
    }
}

#[test]
fn types() {
    let module = module(
        "%a = type { i32, %b*, <{ i8, i64 }>, [3 x <2 x float>] }\n%b = type opaque\n%\"class.std::c\" = type {}\n\
         %0 = type { half, double, x86_fp80, fp128, i1, i128 }\n%d = type { %a, i32 (i32, ...)* }\n",
    );
    let names: Vec<_> = module.types.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "b", "class.std::c", "0", "d"]);
    let packed = Type::Struct { fields: vec![I8, I64], packed: true };
    let expected = fields(&[I32, Type::Pointer, packed, array(3, vector(2, Type::Float(32)))]);
    assert_eq!(module.types[0].1, expected);
    assert_eq!(module.types[1].1, Type::Opaque);
    assert_eq!(module.types[2].1, fields(&[]));
    let floats = [16, 64, 80, 128].map(Type::Float);
    assert_eq!(module.types[3].1, fields(&[&floats[..], &[Type::Int(1), Type::Int(128)]].concat()));
    assert_eq!(module.types[4].1, fields(&[Type::Named(0), Type::Pointer]));
}

#[test]
fn lines_at_the_top() {
    let module = module(
        "; ModuleID = 'a.c'\nsource_filename = \"dir/a\\22.c\"\ntarget datalayout = \"e-i64:64\"\n\
         target triple = \"x86_64-pc-linux-gnu\"\n$f = comdat any\n$\"a b\" = comdat largest\n\
         attributes #0 = { noinline \"frame-pointer\"=\"all\" memory(none) \"}\" }\n!llvm.ident = !{!0}\n\
         !0 = !{!\"clang } version\"}\n!1 = distinct !{!1, !0}\n",
    );
    assert_eq!(module.source, "dir/a\".c");
    assert_eq!(module.layout, "e-i64:64");
}

#[test]
fn globals() {
    let module = module(
        "@a = dso_local global i32 -1, align 4\n\
         @b = external dso_local global i8*, align 8\n\
         @c = internal thread_local(initialexec) unnamed_addr constant [2 x i8] c\"x\\00\", section \"s\", comdat($b), align 1\n\
         @d = extern_weak global i32\n\
         @e = common global %s zeroinitializer, align 16, no_sanitize_address, code_model \"small\" #1\n\
         @f = linkonce_odr hidden local_unnamed_addr addrspace(1) externally_initialized constant i8 1, comdat\n\
         @\"g h\" = thread_local global i16 7, partition \"p\"\n\
         @0 = private global i1 true\n\
         @llvm.used = appending global [1 x i8*] [i8* bitcast (i32* @a to i8*)], section \"llvm.metadata\"\n\
         @i = weak alias i32, i32* @a\n\
         @j = dso_local alias void (), bitcast (i32* @a to void ()*)\n%s = type { i8 }\n",
    );
    let seen: Vec<_> = module
        .globals
        .iter()
        .map(|g| {
            (
                g.name.as_str(),
                g.initial.is_some(),
                g.constant,
                g.thread_local,
                g.local,
                g.weak,
                g.align,
                g.line,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("a", true, false, false, false, false, 4, 1),
            ("b", false, false, false, false, false, 8, 2),
            ("c", true, true, true, true, false, 1, 3),
            ("d", false, false, false, false, true, 0, 4),
            ("e", true, false, false, false, true, 16, 5),
            ("f", true, true, false, false, true, 0, 6),
            ("g h", true, false, true, false, false, 0, 7),
            ("0", true, false, false, true, false, 0, 8),
            ("llvm.used", true, false, false, false, false, 0, 9),
        ]
    );
    let a = || Constant::Global("a".into());
    assert_eq!(module.aliases, [("i".to_string(), a()), ("j".to_string(), a())]);
}

#[test]
fn simple_constants() {
    let cases = [
        ("i8 -1", Constant::Int(255)),
        ("i1 true", Constant::Int(1)),
        ("i128 -170141183460469231731687303715884105728", Constant::Int(1 << 127)),
        ("ptr null", Constant::Null),
        ("i8* undef", Constant::Undef),
        ("i64 poison", Constant::Undef),
        ("[9 x i8] zeroinitializer", Constant::Zero),
        ("[3 x i8] c\"a\\00\\FF\"", Constant::Bytes(vec![b'a', 0, 255])),
        ("float 0x3FB99999A0000000", Constant::Float(u128::from(0.1f32.to_bits()))),
        ("double 1.5e+00", Constant::Float(u128::from(1.5f64.to_bits()))),
        ("x86_fp80 0xK3FFF8000000000000000", Constant::Float(0x3fff_8000_0000_0000_0000)),
        ("half 0xH3C00", Constant::Float(0x3c00)),
        ("ptr @g", Constant::Global("g".into())),
        ("<4 x i32> splat (i32 1)", Constant::Splat(Box::new((I32, Constant::Int(1))))),
        ("i8* blockaddress(@f, %b)", Constant::BlockAddress("f".into(), "b".into())),
    ];
    for (text, value) in cases {
        let module = module(&format!(
            "@x = global {text}\n@g = global i32 0\ndefine void @f() {{\nb:\n  ret void\n}}"
        ));
        assert_eq!(module.globals[0].initial, Some(value), "{text}");
    }
}

#[test]
fn aggregates() {
    let two = || vec![(I32, Constant::Int(1)), (I32, Constant::Int(2))];
    assert_eq!(initial("[2 x i32] [i32 1, i32 2]").1, Constant::Aggregate(two()));
    assert_eq!(initial("{ i32, i32 } { i32 1, i32 2 }").1, Constant::Aggregate(two()));
    assert_eq!(initial("<{ i32, i32 }> <{ i32 1, i32 2 }>").1, Constant::Aggregate(two()));
    assert_eq!(initial("<2 x i32> <i32 1, i32 2>").1, Constant::Aggregate(two()));
    assert_eq!(initial("{} {}").1, Constant::Aggregate(Vec::new()));
    let text = (array(4, I8), Constant::Bytes(b"abc\0".to_vec()));
    let named = Constant::Aggregate(vec![(I32, Constant::Int(5)), text]);
    assert_eq!(initial("%struct.s { i32 5, [4 x i8] c\"abc\\00\" }").1, named);
}

#[test]
fn computed_constants() {
    let g = || Box::new((Type::Pointer, Constant::Global("g".into())));
    let element = |indices: &[u128]| Constant::Element {
        ty: array(4, I8),
        base: g(),
        indices: indices.iter().map(|&i| (I64, Constant::Int(i))).collect(),
    };
    for text in [
        "i8* getelementptr inbounds ([4 x i8], [4 x i8]* @g, i64 0, i64 1)",
        "i8* getelementptr inbounds ([4 x i8], [4 x i8]* @g, i64 0, inrange i64 1)",
        "ptr getelementptr inbounds nuw ([4 x i8], ptr @g, i64 0, i64 1)",
        "ptr getelementptr inbounds inrange(-16, 8) ([4 x i8], ptr @g, i64 0, i64 1)",
        "ptr getelementptr ([4 x i8], ptr @g, i64 0, i64 1)",
    ] {
        assert_eq!(initial(text).1, element(&[0, 1]), "{text}");
    }
    let address = || Constant::Cast(Cast::PtrToInt, g(), I64);
    assert_eq!(initial("i64 ptrtoint (i32* @g to i64)").1, address());
    let difference = Constant::Binary(Binary::Sub, I64, Box::new(address()), Box::new(Constant::Int(8)));
    assert_eq!(initial("i64 sub nuw (i64 ptrtoint (ptr @g to i64), i64 8)").1, difference.clone());
    let narrow = Constant::Cast(Cast::Trunc, Box::new((I64, difference)), I32);
    assert_eq!(initial("i32 trunc (i64 sub (i64 ptrtoint (ptr @g to i64), i64 8) to i32)").1, narrow);
    let same = Constant::Compare(
        Compare::Eq,
        Type::Pointer,
        Box::new(Constant::Global("g".into())),
        Box::new(Constant::Null),
    );
    assert_eq!(initial("i1 icmp eq (i32* @g, i32* null)").1, same);
}

#[test]
fn functions_and_parameters() {
    let module = module(
        "%s = type { i64, i64, i64 }\n\
         define dso_local noundef signext range(i32 0, 5) i32 @a(i8 noundef signext %0, %s* noundef byval(%s) align 8 %1, i32 %n) #0 {\n  ret i32 0\n}\n\
         define linkonce_odr void @b(%s* noalias sret(%s) align 8 %out, ...) unnamed_addr #1 comdat align 2 \
           personality i8* bitcast (i32 (...)* @p to i8*) !prof !0 {\n  ret void\n}\n\
         define internal fastcc nonnull align 8 dereferenceable(8) ptr @c(ptr nocapture readonly captures(none) initializes((0, 4)) %p, \
           float nofpclass(nan inf) %x) local_unnamed_addr section \"text\" gc \"x\" prefix i32 7 {\n  ret ptr %p\n}\n\
         declare i32 @p(...)\n\
         declare extern_weak noalias ptr @d(i64 noundef, ptr) local_unnamed_addr #2\n\
         declare void @e() memory(none)\n!0 = !{}\n",
    );
    let seen: Vec<_> = module
        .functions
        .iter()
        .map(|f| (f.name.as_str(), f.variadic, f.local, f.weak, f.blocks.len()))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", false, false, false, 1),
            ("b", true, false, true, 1),
            ("c", false, true, false, 1),
            ("p", true, false, false, 0),
            ("d", false, false, true, 0),
            ("e", false, false, false, 0),
        ]
    );
    let parameter = |ty, by_value, result_pointer| Parameter { ty, by_value, result_pointer };
    let a = &module.functions[0];
    assert_eq!(
        a.parameters,
        [
            parameter(I8, None, false),
            parameter(Type::Pointer, Some(Type::Named(0)), false),
            parameter(I32, None, false)
        ]
    );
    assert_eq!(a.locals, ["0", "1", "n"]);
    assert_eq!(a.blocks[0].name, "2", "the block without a name takes the next number");
    assert_eq!(module.functions[1].parameters, [parameter(Type::Pointer, None, true)]);
}

#[test]
fn numbers_are_shared_by_values_and_blocks() {
    let function = function(
        "i32 %0",
        "  %2 = add i32 %0, 1\n  br label %3\n\n3:\n  call i32 @printf(ptr null)\n  %5 = add i32 %2, %4\n  ret void",
    );
    assert_eq!(function.blocks.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["1", "3"]);
    assert_eq!(function.locals, ["0", "2", "4", "5"]);
    assert_eq!(function.blocks[0].instructions[1].op, Op::Jump { target: 1 });
}

#[test]
fn forward_references() {
    let function = function(
        "i1 %c",
        "entry:\n  br i1 %c, label %last, label %\"in between\"\n\nlast:\n  %a = phi i32 [ %b, %\"in between\" ], [ 0, %entry ]\n  \
         ret void\n\n\"in between\":\n  %b = add i32 1, 2\n  br label %last",
    );
    assert_eq!(function.locals, ["c", "b", "a"]);
    assert_eq!(function.blocks[2].name, "in between");
    assert_eq!(
        function.blocks[0].instructions[0].op,
        Op::Branch { condition: local(Type::Int(1), 0), yes: 1, no: 2 }
    );
    let phi = Op::Phi { ty: I32, incoming: vec![(Value::Local(1), 2), (int(0), 0)] };
    assert_eq!(function.blocks[1].instructions[0].op, phi);
}

#[test]
fn memory() {
    let one = number(I32, 1);
    assert_eq!(op("", "  %x = alloca i32, align 4"), Op::Alloca { ty: I32, count: one, align: 4 });
    let count = local(I64, 0);
    assert_eq!(
        op("i64 %n", "  %x = alloca i8, i64 %n, align 16, addrspace(5), !annotation !{}"),
        Op::Alloca { ty: I8, count, align: 16 }
    );
    let address = || local(Type::Pointer, 0);
    let load = |order, volatile, align, single_thread| Op::Load {
        ty: I32,
        address: address(),
        order,
        volatile,
        align,
        single_thread,
    };
    assert_eq!(op("ptr %p", "  %x = load i32, ptr %p"), load(None, false, 0, false));
    assert_eq!(
        op("i32* %p", "  %x = load volatile i32, i32* %p, align 4, !tbaa !{}"),
        load(None, true, 4, false)
    );
    let line = "  %x = load atomic volatile i32, ptr %p syncscope(\"singlethread\") acquire, align 4";
    assert_eq!(op("ptr %p", line), load(Some(Order::Acquire), true, 4, true));
    let store = |order, volatile| Op::Store {
        value: number(I32, 7),
        address: address(),
        order,
        volatile,
        align: 4,
        single_thread: false,
    };
    assert_eq!(op("i32* %p", "  store i32 7, i32* %p, align 4"), store(None, false));
    assert_eq!(
        op("ptr %p", "  store atomic volatile i32 7, ptr %p release, align 4"),
        store(Some(Order::Release), true)
    );
}

#[test]
fn updates() {
    let address = || local(Type::Pointer, 0);
    for (word, expected) in [("xchg", Rmw::Xchg), ("nand", Rmw::Nand), ("umax", Rmw::UMax), ("min", Rmw::Min)]
    {
        let line = format!("  %x = atomicrmw volatile {word} i32* %p, i32 1 acq_rel, align 4");
        let update = Op::AtomicRmw {
            op: expected,
            address: address(),
            value: number(I32, 1),
            order: Order::AcqRel,
            volatile: true,
            single_thread: false,
        };
        assert_eq!(op("i32* %p", &line), update);
    }
    let line = "  %x = cmpxchg weak volatile ptr %p, i64 1, i64 2 syncscope(\"singlethread\") monotonic seq_cst, align 8";
    let exchange = Op::CompareExchange {
        address: address(),
        expected: number(I64, 1),
        desired: number(I64, 2),
        success: Order::Monotonic,
        failure: Order::SeqCst,
        weak: true,
        volatile: true,
        single_thread: true,
    };
    assert_eq!(op("ptr %p", line), exchange);
    assert_eq!(result("ptr %p", line), fields(&[I64, Type::Int(1)]));
    let fence = Op::Fence { order: Order::SeqCst, single_thread: true };
    assert_eq!(op("", "  fence syncscope(\"singlethread\") seq_cst"), fence);
    assert_eq!(op("", "  fence release"), Op::Fence { order: Order::Release, single_thread: false });
}

#[test]
fn addresses() {
    let expected = Op::Element {
        ty: array(4, I8),
        base: local(Type::Pointer, 0),
        indices: vec![number(I64, 0), number(I32, 3)],
    };
    for line in [
        "  %x = getelementptr inbounds [4 x i8], [4 x i8]* %p, i64 0, i32 3, !dbg !DILocation(line: 1, scope: !0)",
        "  %x = getelementptr inbounds nuw [4 x i8], ptr %p, i64 0, i32 3",
        "  %x = getelementptr nusw [4 x i8], ptr %p, i64 0, i32 3",
    ] {
        let text =
            format!("define void @f(ptr %p) {{\n{line}\n  ret void\n}}\n!0 = distinct !DISubprogram()");
        assert_eq!(module(&text).functions[0].blocks[0].instructions[0].op, expected, "{line}");
    }
    let line = "  %x = getelementptr i8, ptr %p, <2 x i64> <i64 1, i64 2>";
    assert_eq!(result("ptr %p", line), vector(2, Type::Pointer));
}

#[test]
fn arithmetic_and_its_flags() {
    for (words, expected) in [
        ("add nuw nsw", Binary::Add),
        ("sdiv exact", Binary::SDiv),
        ("or disjoint", Binary::Or),
        ("ashr", Binary::AShr),
        ("urem", Binary::URem),
    ] {
        let binary = Op::Binary { op: expected, ty: I32, left: Value::Local(0), right: int(0xffff_fffe) };
        assert_eq!(op("i32 %a", &format!("  %x = {words} i32 %a, -2")), binary);
    }
    let double = Type::Float(64);
    let binary =
        Op::Binary { op: Binary::FRem, ty: double.clone(), left: Value::Local(0), right: Value::Local(0) };
    assert_eq!(op("double %a", "  %x = frem nnan contract double %a, %a"), binary);
    let negate = Op::FloatNegate { operand: local(double.clone(), 0) };
    assert_eq!(op("double %a", "  %x = fneg fast double %a"), negate);
    let compare = |op, ty, right| Op::Compare { op, ty, left: Value::Local(0), right };
    assert_eq!(op("i32 %a", "  %x = icmp samesign ult i32 %a, 5"), compare(Compare::Ult, I32, int(5)));
    let null = Value::Constant(Constant::Null);
    assert_eq!(op("i8* %a", "  %x = icmp ne i8* %a, null"), compare(Compare::Ne, Type::Pointer, null));
    let line = "  %x = fcmp fast uno double %a, %a";
    assert_eq!(op("double %a", line), compare(Compare::FUno, double, Value::Local(0)));
    assert_eq!(result("<2 x i32> %a", "  %x = icmp eq <2 x i32> %a, splat (i32 1)"), vector(2, Type::Int(1)));
}

#[test]
fn conversions() {
    for (line, expected, to) in [
        ("zext nneg i32 %a to i64", Cast::ZExt, I64),
        ("trunc nuw nsw i32 %a to i8", Cast::Trunc, I8),
        ("sext i32 %a to i64", Cast::SExt, I64),
        ("uitofp nneg i32 %a to float", Cast::UiToFp, Type::Float(32)),
        ("inttoptr i32 %a to i8**", Cast::IntToPtr, Type::Pointer),
        ("bitcast i32 %a to <4 x i8>", Cast::Bitcast, vector(4, I8)),
    ] {
        let cast = Op::Cast { op: expected, operand: local(I32, 0), to: to.clone() };
        assert_eq!(op("i32 %a", &format!("  %x = {line}")), cast);
        assert_eq!(result("i32 %a", &format!("  %x = {line}")), to);
    }
}

#[test]
fn choices_and_parts() {
    let condition = local(Type::Int(1), 0);
    let select = Op::Select { condition, yes: number(I32, 1), no: number(I32, 2) };
    assert_eq!(op("i1 %c", "  %x = select i1 %c, i32 1, i32 2"), select);
    assert_eq!(op("i32 %a", "  %x = freeze i32 %a"), Op::Freeze { operand: local(I32, 0) });
    let pair = "{ i32, [4 x i8] } %s";
    assert_eq!(result(pair, "  %x = extractvalue { i32, [4 x i8] } %s, 1, 3"), I8);
    assert_eq!(result("%struct.s %s", "  %x = extractvalue %struct.s %s, 0, !dbg2 !{}"), I32);
    let insert = op(pair, "  %x = insertvalue { i32, [4 x i8] } %s, i8 9, 1, 2");
    assert!(matches!(insert, Op::InsertValue { path, .. } if path == [1, 2]));
    let v = "<4 x i32> %v";
    assert_eq!(result(v, "  %x = extractelement <4 x i32> %v, i64 1"), I32);
    assert_eq!(result(v, "  %x = insertelement <4 x i32> %v, i32 0, i32 1"), vector(4, I32));
    let shuffle = "  %x = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 undef>";
    assert_eq!(result(v, shuffle), vector(2, I32));
    assert_eq!(result("ptr %l", "  %x = va_arg ptr %l, double"), Type::Float(64));
}

fn argument(operand: Operand) -> Argument {
    Argument { operand, by_value: None }
}

#[test]
fn calls() {
    let call = |callee, result, fixed, arguments| Op::Call { callee, result, fixed, arguments, invoke: None };
    let named = |name: &str| Callee::Function(name.into());
    assert_eq!(op("", "  call void @h()"), call(named("h"), Type::Void, None, vec![]));
    let format =
        || argument(Operand { ty: Type::Pointer, value: Value::Constant(Constant::Global("g".into())) });
    for line in [
        "  %x = call i32 (i8*, ...) @printf(i8* noundef @g, i32 noundef 5)",
        "  %x = tail call noundef i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @g, i32 noundef range(i32 0, 9) 5) #4, !srcloc !{}",
        "  %x = notail call fastcc i32 (ptr, ...) @printf(ptr captures(none) \"x\"=\"y\" @g, i32 5) nounwind \"a\"=\"b\" [ \"deopt\"(i32 1, ptr @g), \"funclet\"() ]",
        "  %x = musttail call i32 (i8*, ...) bitcast (i32 (i8*, ...)* @printf to i32 (i8*, ...)*)(i8* @g, i32 5)",
    ] {
        let expected = call(named("printf"), I32, Some(1), vec![format(), argument(number(I32, 5))]);
        assert_eq!(op("", line), expected, "{line}");
    }
    let indirect =
        call(Callee::Pointer(Value::Local(0)), Type::Pointer, None, vec![argument(number(I32, 1))]);
    assert_eq!(op("ptr %f", "  %x = call noalias align 8 ptr %f(i32 1)"), indirect);
    assert_eq!(op("i8* (i32)* %f", "  %x = call i8* %f(i32 1)"), indirect);
    assert_eq!(op("i8* (i32)* %f", "  %x = call i32 (i8*)* %f(i32 1)"), indirect, "returns a function");
    let assembly = Callee::Assembly("mov\t$0".into(), "=r,r,~{memory}".into());
    let line =
        "  %x = call i32 asm sideeffect inteldialect unwind \"mov\\09$0\", \"=r,r,~{memory}\"(i32 1) #3";
    assert_eq!(op("", line), call(assembly, I32, None, vec![argument(number(I32, 1))]));
    let by_value = Argument { operand: local(Type::Pointer, 0), by_value: Some(I64) };
    let line = "  call void @h(ptr noundef byval(i64) align 8 %p, metadata !\"text\", metadata i32 3)";
    let metadata = || argument(Operand { ty: Type::Other, value: Value::Metadata });
    let expected = call(named("h"), Type::Void, None, vec![by_value, metadata(), metadata()]);
    assert_eq!(op("ptr %p", line), expected);
}

#[test]
fn attributes_end_with_the_line() {
    let function = function("", "  call void @h()\n  fence seq_cst\n  call void @h() nounwind\n  ret void");
    assert_eq!(function.blocks[0].instructions.len(), 4);
    let lines: Vec<_> = function.blocks[0].instructions.iter().map(|i| i.line).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
}

#[test]
fn calls_that_unwind() {
    let function = function(
        "",
        "  invoke void @h()\n          to label %1 unwind label %2\n1:\n  ret void\n2:\n  %3 = landingpad { i8*, i32 }\n          \
         cleanup\n          catch i8* null\n          filter [1 x i8*] [i8* null]\n  resume { i8*, i32 } %3",
    );
    assert!(matches!(function.blocks[0].instructions[0].op, Op::Call { invoke: Some((1, 2)), .. }));
    let clauses = vec![Clause::Catch(Constant::Null), Clause::Filter(vec![Constant::Null])];
    assert_eq!(function.blocks[2].instructions[0].op, Op::LandingPad { cleanup: true, clauses });
    assert_eq!(function.local_types, [fields(&[Type::Pointer, I32])]);
    assert!(matches!(function.blocks[2].instructions[1].op, Op::Resume { .. }));
}

#[test]
fn jumps() {
    let function = function(
        "i8 %n, ptr %a",
        "  switch i8 %n, label %b [\n    i8 -1, label %c\n    i8 97, label %b\n  ]\nb:\n  indirectbr ptr %a, [label %b, label %c]\nc:\n  unreachable",
    );
    let cases = vec![(Constant::Int(255), 2), (Constant::Int(97), 1)];
    assert_eq!(
        function.blocks[0].instructions[0].op,
        Op::Switch { operand: local(I8, 0), default: 1, cases }
    );
    let jump = Op::IndirectBranch { address: local(Type::Pointer, 1), targets: vec![1, 2] };
    assert_eq!(function.blocks[1].instructions[0].op, jump);
}

#[test]
fn function_types() {
    let ty = Type::Function(Box::new(FunctionType {
        result: I32,
        parameters: vec![Type::Pointer],
        variadic: true,
    }));
    let load = op("ptr %p", "  %x = getelementptr i32 (i8*, ...), ptr %p, i32 0");
    assert!(matches!(load, Op::Element { ty: found, .. } if found == ty));
}

#[test]
fn the_same_program_from_three_compilers() {
    let old = module(include_str!("stored/clang14.ll"));
    let new = module(include_str!("stored/clang22.ll"));
    let between = module(include_str!("stored/clang19.ll"));
    for other in [&between, &new] {
        for function in old.functions.iter().filter(|f| !f.blocks.is_empty()) {
            let twin = other.function(&function.name).expect("all have the same functions");
            assert_eq!(function.parameters, twin.parameters);
            assert_eq!(function.blocks.len(), twin.blocks.len());
            let names =
                |f: &Function| f.variables.iter().map(|v| (v.1.name.clone(), v.1.line)).collect::<Vec<_>>();
            assert_eq!(names(function), names(twin), "{}", function.name);
            assert_eq!(function.subprogram, twin.subprogram);
        }
        assert_eq!(old.debug.files, other.debug.files);
        let atomics = |m: &Module| {
            let instructions = m.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
            let place = |l: u32| (m.debug.locations[l as usize].line, m.debug.locations[l as usize].column);
            let orders = instructions.filter_map(|i| match &i.op {
                Op::Load { order: Some(o), .. } | Op::Store { order: Some(o), .. } => {
                    Some((*o, i.location.map(place)))
                }
                Op::AtomicRmw { order, .. } | Op::Fence { order, .. } => {
                    Some((*order, i.location.map(place)))
                }
                Op::CompareExchange { success, .. } => Some((*success, i.location.map(place))),
                _ => None,
            });
            orders.collect::<Vec<_>>()
        };
        assert_eq!(atomics(&old), atomics(other));
        assert_eq!(atomics(&old).len(), 5);
    }
}
