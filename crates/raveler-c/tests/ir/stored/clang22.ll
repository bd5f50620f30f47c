; ModuleID = 'example.c'
source_filename = "example.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.pair = type { i32, i64 }

@table = global [3 x i32] [i32 1, i32 2, i32 3], align 4, !dbg !0
@pairs = global [2 x { i32, [4 x i8], i64 }] [{ i32, [4 x i8], i64 } { i32 1, [4 x i8] zeroinitializer, i64 2 }, { i32, [4 x i8], i64 } { i32 3, [4 x i8] zeroinitializer, i64 4 }], align 16, !dbg !18
@.str = private unnamed_addr constant [7 x i8] c"hello\0A\00", align 1, !dbg !28
@greeting = global ptr @.str, align 8, !dbg !34
@own = thread_local global i32 0, align 4, !dbg !43
@x = internal global i32 1, align 4, !dbg !45
@.str.1 = private unnamed_addr constant [10 x i8] c"%s %d %f\0A\00", align 1, !dbg !38

; Function Attrs: noinline nounwind optnone sspstrong uwtable
define { i32, i64 } @both(ptr noundef %p, i32 noundef %i) #0 !dbg !59 {
entry:
  %retval = alloca %struct.pair, align 8
  %p.addr = alloca ptr, align 8
  %i.addr = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
    #dbg_declare(ptr %p.addr, !64, !DIExpression(), !65)
  store i32 %i, ptr %i.addr, align 4
    #dbg_declare(ptr %i.addr, !66, !DIExpression(), !67)
    #dbg_declare(ptr %retval, !68, !DIExpression(), !69)
  %0 = load ptr, ptr %p.addr, align 8, !dbg !70
  %1 = load i32, ptr %i.addr, align 4, !dbg !71
  %idxprom = sext i32 %1 to i64, !dbg !70
  %arrayidx = getelementptr inbounds %struct.pair, ptr %0, i64 %idxprom, !dbg !70
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %retval, ptr align 8 %arrayidx, i64 16, i1 false), !dbg !70
  %2 = load i32, ptr %i.addr, align 4, !dbg !72
  %idxprom1 = sext i32 %2 to i64, !dbg !73
  %arrayidx2 = getelementptr inbounds [3 x i32], ptr @table, i64 0, i64 %idxprom1, !dbg !73
  %3 = load i32, ptr %arrayidx2, align 4, !dbg !73
  %a = getelementptr inbounds nuw %struct.pair, ptr %retval, i32 0, i32 0, !dbg !74
  %4 = load i32, ptr %a, align 8, !dbg !75
  %add = add nsw i32 %4, %3, !dbg !75
  store i32 %add, ptr %a, align 8, !dbg !75
  %5 = load { i32, i64 }, ptr %retval, align 8, !dbg !76
  ret { i32, i64 } %5, !dbg !76
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

; Function Attrs: noinline nounwind optnone sspstrong uwtable
define double @mean(float noundef %f, double noundef %d) #0 !dbg !77 {
entry:
  %f.addr = alloca float, align 4
  %d.addr = alloca double, align 8
  store float %f, ptr %f.addr, align 4
    #dbg_declare(ptr %f.addr, !82, !DIExpression(), !83)
  store double %d, ptr %d.addr, align 8
    #dbg_declare(ptr %d.addr, !84, !DIExpression(), !85)
  %0 = load float, ptr %f.addr, align 4, !dbg !86
  %conv = fpext float %0 to double, !dbg !86
  %1 = load double, ptr %d.addr, align 8, !dbg !87
  %add = fadd double %conv, %1, !dbg !88
  %div = fdiv double %add, 2.500000e+00, !dbg !89
  %sub = fsub double %div, 0x3FB99999A0000000, !dbg !90
  ret double %sub, !dbg !91
}

; Function Attrs: noinline nounwind optnone sspstrong uwtable
define i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !92 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %expected = alloca i32, align 4
  %i = alloca i32, align 4
  %atomic-temp = alloca i32, align 4
  %.atomictmp = alloca i32, align 4
  %.atomictmp2 = alloca i32, align 4
  %atomic-temp3 = alloca i32, align 4
  %.atomictmp4 = alloca i32, align 4
  %ref.tmp = alloca %struct.pair, align 8
  %cmpxchg.bool = alloca i8, align 1
  %saved_stack = alloca ptr, align 8
  %__vla_expr0 = alloca i64, align 8
  %print = alloca ptr, align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
    #dbg_declare(ptr %argc.addr, !97, !DIExpression(), !98)
  store ptr %argv, ptr %argv.addr, align 8
    #dbg_declare(ptr %argv.addr, !99, !DIExpression(), !100)
    #dbg_declare(ptr %expected, !101, !DIExpression(), !102)
  store i32 0, ptr %expected, align 4, !dbg !102
  %0 = load i32, ptr %argc.addr, align 4, !dbg !103
  %1 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !104
  store i32 %0, ptr %1, align 4, !dbg !105
    #dbg_declare(ptr %i, !106, !DIExpression(), !108)
  store i32 0, ptr %i, align 4, !dbg !108
  br label %for.cond, !dbg !109

for.cond:                                         ; preds = %for.inc, %entry
  %2 = load i32, ptr %i, align 4, !dbg !110
  %3 = load i32, ptr %argc.addr, align 4, !dbg !112
  %cmp = icmp slt i32 %2, %3, !dbg !113
  br i1 %cmp, label %for.body, label %for.end, !dbg !114

for.body:                                         ; preds = %for.cond
  %4 = load atomic i32, ptr @x acquire, align 4, !dbg !115
  store i32 %4, ptr %atomic-temp, align 4, !dbg !115
  %5 = load i32, ptr %atomic-temp, align 4, !dbg !115
  switch i32 %5, label %sw.default [
    i32 0, label %sw.bb
    i32 7, label %sw.bb1
  ], !dbg !117

sw.bb:                                            ; preds = %for.body
  %6 = load i32, ptr %i, align 4, !dbg !118
  store i32 %6, ptr %.atomictmp, align 4, !dbg !120
  %7 = load i32, ptr %.atomictmp, align 4, !dbg !120
  store atomic i32 %7, ptr @x seq_cst, align 4, !dbg !120
  br label %sw.epilog, !dbg !121

sw.bb1:                                           ; preds = %for.body
  store i32 2, ptr %.atomictmp2, align 4, !dbg !122
  %8 = load i32, ptr %.atomictmp2, align 4, !dbg !122
  %9 = atomicrmw add ptr @x, i32 %8 monotonic, align 4, !dbg !122
  store i32 %9, ptr %atomic-temp3, align 4, !dbg !122
  %10 = load i32, ptr %atomic-temp3, align 4, !dbg !122
  br label %sw.epilog, !dbg !123

sw.default:                                       ; preds = %for.body
  %11 = load i32, ptr %i, align 4, !dbg !124
  %call = call { i32, i64 } @both(ptr noundef @pairs, i32 noundef %11), !dbg !125
  %12 = getelementptr inbounds nuw { i32, i64 }, ptr %ref.tmp, i32 0, i32 0, !dbg !125
  %13 = extractvalue { i32, i64 } %call, 0, !dbg !125
  store i32 %13, ptr %12, align 8, !dbg !125
  %14 = getelementptr inbounds nuw { i32, i64 }, ptr %ref.tmp, i32 0, i32 1, !dbg !125
  %15 = extractvalue { i32, i64 } %call, 1, !dbg !125
  store i64 %15, ptr %14, align 8, !dbg !125
  %b = getelementptr inbounds nuw %struct.pair, ptr %ref.tmp, i32 0, i32 1, !dbg !126
  %16 = load i64, ptr %b, align 8, !dbg !126
  %conv = trunc i64 %16 to i32, !dbg !127
  store i32 %conv, ptr %.atomictmp4, align 4, !dbg !128
  %17 = load i32, ptr %expected, align 4, !dbg !128
  %18 = load i32, ptr %.atomictmp4, align 4, !dbg !128
  %19 = cmpxchg weak ptr @x, i32 %17, i32 %18 seq_cst seq_cst, align 4, !dbg !128
  %20 = extractvalue { i32, i1 } %19, 0, !dbg !128
  %21 = extractvalue { i32, i1 } %19, 1, !dbg !128
  br i1 %21, label %cmpxchg.continue, label %cmpxchg.store_expected, !dbg !128

cmpxchg.store_expected:                           ; preds = %sw.default
  store i32 %20, ptr %expected, align 4, !dbg !128
  br label %cmpxchg.continue, !dbg !128

cmpxchg.continue:                                 ; preds = %cmpxchg.store_expected, %sw.default
  %storedv = zext i1 %21 to i8, !dbg !128
  store i8 %storedv, ptr %cmpxchg.bool, align 1, !dbg !128
  %22 = load i8, ptr %cmpxchg.bool, align 1, !dbg !128
  %loadedv = trunc i8 %22 to i1, !dbg !128
  br label %sw.epilog, !dbg !129

sw.epilog:                                        ; preds = %cmpxchg.continue, %sw.bb1, %sw.bb
  br label %for.inc, !dbg !130

for.inc:                                          ; preds = %sw.epilog
  %23 = load i32, ptr %i, align 4, !dbg !131
  %inc = add nsw i32 %23, 1, !dbg !131
  store i32 %inc, ptr %i, align 4, !dbg !131
  br label %for.cond, !dbg !132, !llvm.loop !133

for.end:                                          ; preds = %for.cond
  %24 = load i32, ptr %argc.addr, align 4, !dbg !136
  %25 = zext i32 %24 to i64, !dbg !137
  %26 = call ptr @llvm.stacksave.p0(), !dbg !137
  store ptr %26, ptr %saved_stack, align 8, !dbg !137
  %vla = alloca i32, i64 %25, align 16, !dbg !137
  store i64 %25, ptr %__vla_expr0, align 8, !dbg !137
    #dbg_declare(ptr %__vla_expr0, !138, !DIExpression(), !140)
    #dbg_declare(ptr %vla, !141, !DIExpression(), !145)
  %arrayidx = getelementptr inbounds i32, ptr %vla, i64 0, !dbg !146
  store i32 3, ptr %arrayidx, align 16, !dbg !147
  fence seq_cst, !dbg !148
    #dbg_declare(ptr %print, !149, !DIExpression(), !153)
  store ptr @printf, ptr %print, align 8, !dbg !153
  %27 = load ptr, ptr %print, align 8, !dbg !154
  %28 = load ptr, ptr @greeting, align 8, !dbg !155
  %arrayidx5 = getelementptr inbounds i32, ptr %vla, i64 0, !dbg !156
  %29 = load i32, ptr %arrayidx5, align 16, !dbg !156
  %call6 = call double @mean(float noundef 1.000000e+00, double noundef 2.000000e+00), !dbg !157
  %call7 = call i32 (ptr, ...) %27(ptr noundef @.str.1, ptr noundef %28, i32 noundef %29, double noundef %call6), !dbg !154
  %30 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !158
  %31 = load i32, ptr %30, align 4, !dbg !158
  %tobool = icmp ne i32 %31, 0, !dbg !158
  br i1 %tobool, label %land.lhs.true, label %cond.false, !dbg !159

land.lhs.true:                                    ; preds = %for.end
  %32 = load ptr, ptr %argv.addr, align 8, !dbg !160
  %tobool8 = icmp ne ptr %32, null, !dbg !160
  br i1 %tobool8, label %cond.true, label %cond.false, !dbg !158

cond.true:                                        ; preds = %land.lhs.true
  %33 = load i32, ptr %expected, align 4, !dbg !161
  br label %cond.end, !dbg !158

cond.false:                                       ; preds = %land.lhs.true, %for.end
  br label %cond.end, !dbg !158

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %33, %cond.true ], [ -1, %cond.false ], !dbg !158
  store i32 %cond, ptr %retval, align 4, !dbg !162
  %34 = load ptr, ptr %saved_stack, align 8, !dbg !163
  call void @llvm.stackrestore.p0(ptr %34), !dbg !163
  %35 = load i32, ptr %retval, align 4, !dbg !163
  ret i32 %35, !dbg !163
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare ptr @llvm.stacksave.p0() #3

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore.p0(ptr) #3

attributes #0 = { noinline nounwind optnone sspstrong uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cx16,+sse2" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cx16,+sse2" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!52, !53, !54, !55, !56, !57}
!llvm.ident = !{!58}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 9, type: !49, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang version 22.1.8", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !17, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "example.c", directory: "/src")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/include/stdatomic.h", directory: "")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!16}
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!17 = !{!0, !18, !28, !34, !38, !43, !45}
!18 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
!19 = distinct !DIGlobalVariable(name: "pairs", scope: !2, file: !3, line: 10, type: !20, isLocal: false, isDefinition: true)
!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !21, size: 256, elements: !26)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !3, line: 3, size: 128, elements: !22)
!22 = !{!23, !24}
!23 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !21, file: !3, line: 4, baseType: !16, size: 32)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !21, file: !3, line: 5, baseType: !25, size: 64, offset: 64)
!25 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!26 = !{!27}
!27 = !DISubrange(count: 2)
!28 = !DIGlobalVariableExpression(var: !29, expr: !DIExpression())
!29 = distinct !DIGlobalVariable(scope: null, file: !3, line: 11, type: !30, isLocal: true, isDefinition: true)
!30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !31, size: 56, elements: !32)
!31 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!32 = !{!33}
!33 = !DISubrange(count: 7)
!34 = !DIGlobalVariableExpression(var: !35, expr: !DIExpression())
!35 = distinct !DIGlobalVariable(name: "greeting", scope: !2, file: !3, line: 11, type: !36, isLocal: false, isDefinition: true)
!36 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !37, size: 64)
!37 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !31)
!38 = !DIGlobalVariableExpression(var: !39, expr: !DIExpression())
!39 = distinct !DIGlobalVariable(scope: null, file: !3, line: 34, type: !40, isLocal: true, isDefinition: true)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !31, size: 80, elements: !41)
!41 = !{!42}
!42 = !DISubrange(count: 10)
!43 = !DIGlobalVariableExpression(var: !44, expr: !DIExpression())
!44 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 8, type: !16, isLocal: false, isDefinition: true)
!45 = !DIGlobalVariableExpression(var: !46, expr: !DIExpression())
!46 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 7, type: !47, isLocal: true, isDefinition: true)
!47 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !48)
!48 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !16)
!49 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, size: 96, elements: !50)
!50 = !{!51}
!51 = !DISubrange(count: 3)
!52 = !{i32 7, !"Dwarf Version", i32 4}
!53 = !{i32 2, !"Debug Info Version", i32 3}
!54 = !{i32 1, !"wchar_size", i32 4}
!55 = !{i32 8, !"PIC Level", i32 2}
!56 = !{i32 7, !"uwtable", i32 2}
!57 = !{i32 7, !"frame-pointer", i32 2}
!58 = !{!"clang version 22.1.8"}
!59 = distinct !DISubprogram(name: "both", scope: !3, file: !3, line: 14, type: !60, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !63)
!60 = !DISubroutineType(types: !61)
!61 = !{!21, !62, !16}
!62 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!63 = !{}
!64 = !DILocalVariable(name: "p", arg: 1, scope: !59, file: !3, line: 14, type: !62)
!65 = !DILocation(line: 14, column: 31, scope: !59)
!66 = !DILocalVariable(name: "i", arg: 2, scope: !59, file: !3, line: 14, type: !16)
!67 = !DILocation(line: 14, column: 38, scope: !59)
!68 = !DILocalVariable(name: "q", scope: !59, file: !3, line: 15, type: !21)
!69 = !DILocation(line: 15, column: 17, scope: !59)
!70 = !DILocation(line: 15, column: 21, scope: !59)
!71 = !DILocation(line: 15, column: 23, scope: !59)
!72 = !DILocation(line: 16, column: 18, scope: !59)
!73 = !DILocation(line: 16, column: 12, scope: !59)
!74 = !DILocation(line: 16, column: 7, scope: !59)
!75 = !DILocation(line: 16, column: 9, scope: !59)
!76 = !DILocation(line: 17, column: 5, scope: !59)
!77 = distinct !DISubprogram(name: "mean", scope: !3, file: !3, line: 19, type: !78, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !63)
!78 = !DISubroutineType(types: !79)
!79 = !{!80, !81, !80}
!80 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!81 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!82 = !DILocalVariable(name: "f", arg: 1, scope: !77, file: !3, line: 19, type: !81)
!83 = !DILocation(line: 19, column: 19, scope: !77)
!84 = !DILocalVariable(name: "d", arg: 2, scope: !77, file: !3, line: 19, type: !80)
!85 = !DILocation(line: 19, column: 29, scope: !77)
!86 = !DILocation(line: 19, column: 42, scope: !77)
!87 = !DILocation(line: 19, column: 46, scope: !77)
!88 = !DILocation(line: 19, column: 44, scope: !77)
!89 = !DILocation(line: 19, column: 49, scope: !77)
!90 = !DILocation(line: 19, column: 56, scope: !77)
!91 = !DILocation(line: 19, column: 34, scope: !77)
!92 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !93, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !63)
!93 = !DISubroutineType(types: !94)
!94 = !{!16, !16, !95}
!95 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !96, size: 64)
!96 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!97 = !DILocalVariable(name: "argc", arg: 1, scope: !92, file: !3, line: 20, type: !16)
!98 = !DILocation(line: 20, column: 14, scope: !92)
!99 = !DILocalVariable(name: "argv", arg: 2, scope: !92, file: !3, line: 20, type: !95)
!100 = !DILocation(line: 20, column: 27, scope: !92)
!101 = !DILocalVariable(name: "expected", scope: !92, file: !3, line: 21, type: !16)
!102 = !DILocation(line: 21, column: 9, scope: !92)
!103 = !DILocation(line: 22, column: 11, scope: !92)
!104 = !DILocation(line: 22, column: 5, scope: !92)
!105 = !DILocation(line: 22, column: 9, scope: !92)
!106 = !DILocalVariable(name: "i", scope: !107, file: !3, line: 23, type: !16)
!107 = distinct !DILexicalBlock(scope: !92, file: !3, line: 23, column: 5)
!108 = !DILocation(line: 23, column: 14, scope: !107)
!109 = !DILocation(line: 23, column: 10, scope: !107)
!110 = !DILocation(line: 23, column: 21, scope: !111)
!111 = distinct !DILexicalBlock(scope: !107, file: !3, line: 23, column: 5)
!112 = !DILocation(line: 23, column: 25, scope: !111)
!113 = !DILocation(line: 23, column: 23, scope: !111)
!114 = !DILocation(line: 23, column: 5, scope: !107)
!115 = !DILocation(line: 24, column: 17, scope: !116)
!116 = distinct !DILexicalBlock(scope: !111, file: !3, line: 23, column: 36)
!117 = !DILocation(line: 24, column: 9, scope: !116)
!118 = !DILocation(line: 25, column: 34, scope: !119)
!119 = distinct !DILexicalBlock(scope: !116, file: !3, line: 24, column: 65)
!120 = !DILocation(line: 25, column: 17, scope: !119)
!121 = !DILocation(line: 25, column: 38, scope: !119)
!122 = !DILocation(line: 26, column: 17, scope: !119)
!123 = !DILocation(line: 26, column: 73, scope: !119)
!124 = !DILocation(line: 27, column: 79, scope: !119)
!125 = !DILocation(line: 27, column: 67, scope: !119)
!126 = !DILocation(line: 27, column: 82, scope: !119)
!127 = !DILocation(line: 27, column: 62, scope: !119)
!128 = !DILocation(line: 27, column: 18, scope: !119)
!129 = !DILocation(line: 28, column: 9, scope: !119)
!130 = !DILocation(line: 29, column: 5, scope: !116)
!131 = !DILocation(line: 23, column: 32, scope: !111)
!132 = !DILocation(line: 23, column: 5, scope: !111)
!133 = distinct !{!133, !114, !134, !135}
!134 = !DILocation(line: 29, column: 5, scope: !107)
!135 = !{!"llvm.loop.mustprogress"}
!136 = !DILocation(line: 30, column: 15, scope: !92)
!137 = !DILocation(line: 30, column: 5, scope: !92)
!138 = !DILocalVariable(name: "__vla_expr0", scope: !92, type: !139, flags: DIFlagArtificial)
!139 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!140 = !DILocation(line: 0, scope: !92)
!141 = !DILocalVariable(name: "sizes", scope: !92, file: !3, line: 30, type: !142)
!142 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, elements: !143)
!143 = !{!144}
!144 = !DISubrange(count: !138)
!145 = !DILocation(line: 30, column: 9, scope: !92)
!146 = !DILocation(line: 31, column: 5, scope: !92)
!147 = !DILocation(line: 31, column: 14, scope: !92)
!148 = !DILocation(line: 32, column: 5, scope: !92)
!149 = !DILocalVariable(name: "print", scope: !92, file: !3, line: 33, type: !150)
!150 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !151, size: 64)
!151 = !DISubroutineType(types: !152)
!152 = !{!16, !36, null}
!153 = !DILocation(line: 33, column: 11, scope: !92)
!154 = !DILocation(line: 34, column: 5, scope: !92)
!155 = !DILocation(line: 34, column: 25, scope: !92)
!156 = !DILocation(line: 34, column: 35, scope: !92)
!157 = !DILocation(line: 34, column: 45, scope: !92)
!158 = !DILocation(line: 35, column: 12, scope: !92)
!159 = !DILocation(line: 35, column: 16, scope: !92)
!160 = !DILocation(line: 35, column: 19, scope: !92)
!161 = !DILocation(line: 35, column: 26, scope: !92)
!162 = !DILocation(line: 35, column: 5, scope: !92)
!163 = !DILocation(line: 36, column: 1, scope: !92)
