; ModuleID = 'example.c'
source_filename = "example.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i32, i64 }

@table = dso_local global [3 x i32] [i32 1, i32 2, i32 3], align 4, !dbg !0
@pairs = dso_local global [2 x %struct.pair] [%struct.pair { i32 1, i64 2 }, %struct.pair { i32 3, i64 4 }], align 16, !dbg !18
@.str = private unnamed_addr constant [7 x i8] c"hello\0A\00", align 1, !dbg !28
@greeting = dso_local global ptr @.str, align 8, !dbg !34
@own = dso_local thread_local global i32 0, align 4, !dbg !43
@x = internal global i32 1, align 4, !dbg !45
@.str.1 = private unnamed_addr constant [10 x i8] c"%s %d %f\0A\00", align 1, !dbg !38

; Function Attrs: noinline nounwind optnone uwtable
define dso_local { i32, i64 } @both(ptr noundef %p, i32 noundef %i) #0 !dbg !60 {
entry:
  %retval = alloca %struct.pair, align 8
  %p.addr = alloca ptr, align 8
  %i.addr = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
    #dbg_declare(ptr %p.addr, !65, !DIExpression(), !66)
  store i32 %i, ptr %i.addr, align 4
    #dbg_declare(ptr %i.addr, !67, !DIExpression(), !68)
    #dbg_declare(ptr %retval, !69, !DIExpression(), !70)
  %0 = load ptr, ptr %p.addr, align 8, !dbg !71
  %1 = load i32, ptr %i.addr, align 4, !dbg !72
  %idxprom = sext i32 %1 to i64, !dbg !71
  %arrayidx = getelementptr inbounds %struct.pair, ptr %0, i64 %idxprom, !dbg !71
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %retval, ptr align 8 %arrayidx, i64 16, i1 false), !dbg !71
  %2 = load i32, ptr %i.addr, align 4, !dbg !73
  %idxprom1 = sext i32 %2 to i64, !dbg !74
  %arrayidx2 = getelementptr inbounds [3 x i32], ptr @table, i64 0, i64 %idxprom1, !dbg !74
  %3 = load i32, ptr %arrayidx2, align 4, !dbg !74
  %a = getelementptr inbounds %struct.pair, ptr %retval, i32 0, i32 0, !dbg !75
  %4 = load i32, ptr %a, align 8, !dbg !76
  %add = add nsw i32 %4, %3, !dbg !76
  store i32 %add, ptr %a, align 8, !dbg !76
  %5 = load { i32, i64 }, ptr %retval, align 8, !dbg !77
  ret { i32, i64 } %5, !dbg !77
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local double @mean(float noundef %f, double noundef %d) #0 !dbg !78 {
entry:
  %f.addr = alloca float, align 4
  %d.addr = alloca double, align 8
  store float %f, ptr %f.addr, align 4
    #dbg_declare(ptr %f.addr, !83, !DIExpression(), !84)
  store double %d, ptr %d.addr, align 8
    #dbg_declare(ptr %d.addr, !85, !DIExpression(), !86)
  %0 = load float, ptr %f.addr, align 4, !dbg !87
  %conv = fpext float %0 to double, !dbg !87
  %1 = load double, ptr %d.addr, align 8, !dbg !88
  %add = fadd double %conv, %1, !dbg !89
  %div = fdiv double %add, 2.500000e+00, !dbg !90
  %sub = fsub double %div, 0x3FB99999A0000000, !dbg !91
  ret double %sub, !dbg !92
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !93 {
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
  %coerce = alloca %struct.pair, align 8
  %cmpxchg.bool = alloca i8, align 1
  %saved_stack = alloca ptr, align 8
  %__vla_expr0 = alloca i64, align 8
  %print = alloca ptr, align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
    #dbg_declare(ptr %argc.addr, !98, !DIExpression(), !99)
  store ptr %argv, ptr %argv.addr, align 8
    #dbg_declare(ptr %argv.addr, !100, !DIExpression(), !101)
    #dbg_declare(ptr %expected, !102, !DIExpression(), !103)
  store i32 0, ptr %expected, align 4, !dbg !103
  %0 = load i32, ptr %argc.addr, align 4, !dbg !104
  %1 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !105
  store i32 %0, ptr %1, align 4, !dbg !106
    #dbg_declare(ptr %i, !107, !DIExpression(), !109)
  store i32 0, ptr %i, align 4, !dbg !109
  br label %for.cond, !dbg !110

for.cond:                                         ; preds = %for.inc, %entry
  %2 = load i32, ptr %i, align 4, !dbg !111
  %3 = load i32, ptr %argc.addr, align 4, !dbg !113
  %cmp = icmp slt i32 %2, %3, !dbg !114
  br i1 %cmp, label %for.body, label %for.end, !dbg !115

for.body:                                         ; preds = %for.cond
  %4 = load atomic i32, ptr @x acquire, align 4, !dbg !116
  store i32 %4, ptr %atomic-temp, align 4, !dbg !116
  %5 = load i32, ptr %atomic-temp, align 4, !dbg !116
  switch i32 %5, label %sw.default [
    i32 0, label %sw.bb
    i32 7, label %sw.bb1
  ], !dbg !118

sw.bb:                                            ; preds = %for.body
  %6 = load i32, ptr %i, align 4, !dbg !119
  store i32 %6, ptr %.atomictmp, align 4, !dbg !119
  %7 = load i32, ptr %.atomictmp, align 4, !dbg !119
  store atomic i32 %7, ptr @x seq_cst, align 4, !dbg !119
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
  %call = call { i32, i64 } @both(ptr noundef @pairs, i32 noundef %11), !dbg !124
  %12 = getelementptr inbounds { i32, i64 }, ptr %coerce, i32 0, i32 0, !dbg !124
  %13 = extractvalue { i32, i64 } %call, 0, !dbg !124
  store i32 %13, ptr %12, align 8, !dbg !124
  %14 = getelementptr inbounds { i32, i64 }, ptr %coerce, i32 0, i32 1, !dbg !124
  %15 = extractvalue { i32, i64 } %call, 1, !dbg !124
  store i64 %15, ptr %14, align 8, !dbg !124
  %b = getelementptr inbounds %struct.pair, ptr %coerce, i32 0, i32 1, !dbg !124
  %16 = load i64, ptr %b, align 8, !dbg !124
  %conv = trunc i64 %16 to i32, !dbg !124
  store i32 %conv, ptr %.atomictmp4, align 4, !dbg !124
  %17 = load i32, ptr %expected, align 4, !dbg !124
  %18 = load i32, ptr %.atomictmp4, align 4, !dbg !124
  %19 = cmpxchg weak ptr @x, i32 %17, i32 %18 seq_cst seq_cst, align 4, !dbg !124
  %20 = extractvalue { i32, i1 } %19, 0, !dbg !124
  %21 = extractvalue { i32, i1 } %19, 1, !dbg !124
  br i1 %21, label %cmpxchg.continue, label %cmpxchg.store_expected, !dbg !124

cmpxchg.store_expected:                           ; preds = %sw.default
  store i32 %20, ptr %expected, align 4, !dbg !124
  br label %cmpxchg.continue, !dbg !124

cmpxchg.continue:                                 ; preds = %cmpxchg.store_expected, %sw.default
  %storedv = zext i1 %21 to i8, !dbg !124
  store i8 %storedv, ptr %cmpxchg.bool, align 1, !dbg !124
  %22 = load i8, ptr %cmpxchg.bool, align 1, !dbg !124
  %loadedv = trunc i8 %22 to i1, !dbg !124
  br label %sw.epilog, !dbg !125

sw.epilog:                                        ; preds = %cmpxchg.continue, %sw.bb1, %sw.bb
  br label %for.inc, !dbg !126

for.inc:                                          ; preds = %sw.epilog
  %23 = load i32, ptr %i, align 4, !dbg !127
  %inc = add nsw i32 %23, 1, !dbg !127
  store i32 %inc, ptr %i, align 4, !dbg !127
  br label %for.cond, !dbg !128, !llvm.loop !129

for.end:                                          ; preds = %for.cond
  %24 = load i32, ptr %argc.addr, align 4, !dbg !132
  %25 = zext i32 %24 to i64, !dbg !133
  %26 = call ptr @llvm.stacksave.p0(), !dbg !133
  store ptr %26, ptr %saved_stack, align 8, !dbg !133
  %vla = alloca i32, i64 %25, align 16, !dbg !133
  store i64 %25, ptr %__vla_expr0, align 8, !dbg !133
    #dbg_declare(ptr %__vla_expr0, !134, !DIExpression(), !136)
    #dbg_declare(ptr %vla, !137, !DIExpression(), !141)
  %arrayidx = getelementptr inbounds i32, ptr %vla, i64 0, !dbg !142
  store i32 3, ptr %arrayidx, align 16, !dbg !143
  fence seq_cst, !dbg !144
    #dbg_declare(ptr %print, !145, !DIExpression(), !149)
  store ptr @printf, ptr %print, align 8, !dbg !149
  %27 = load ptr, ptr %print, align 8, !dbg !150
  %28 = load ptr, ptr @greeting, align 8, !dbg !151
  %arrayidx5 = getelementptr inbounds i32, ptr %vla, i64 0, !dbg !152
  %29 = load i32, ptr %arrayidx5, align 16, !dbg !152
  %call6 = call double @mean(float noundef 1.000000e+00, double noundef 2.000000e+00), !dbg !153
  %call7 = call i32 (ptr, ...) %27(ptr noundef @.str.1, ptr noundef %28, i32 noundef %29, double noundef %call6), !dbg !150
  %30 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !154
  %31 = load i32, ptr %30, align 4, !dbg !154
  %tobool = icmp ne i32 %31, 0, !dbg !154
  br i1 %tobool, label %land.lhs.true, label %cond.false, !dbg !155

land.lhs.true:                                    ; preds = %for.end
  %32 = load ptr, ptr %argv.addr, align 8, !dbg !156
  %tobool8 = icmp ne ptr %32, null, !dbg !156
  br i1 %tobool8, label %cond.true, label %cond.false, !dbg !154

cond.true:                                        ; preds = %land.lhs.true
  %33 = load i32, ptr %expected, align 4, !dbg !157
  br label %cond.end, !dbg !154

cond.false:                                       ; preds = %land.lhs.true, %for.end
  br label %cond.end, !dbg !154

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %33, %cond.true ], [ -1, %cond.false ], !dbg !154
  store i32 %cond, ptr %retval, align 4, !dbg !158
  %34 = load ptr, ptr %saved_stack, align 8, !dbg !159
  call void @llvm.stackrestore.p0(ptr %34), !dbg !159
  %35 = load i32, ptr %retval, align 4, !dbg !159
  ret i32 %35, !dbg !159
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare ptr @llvm.stacksave.p0() #3

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore.p0(ptr) #3

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!52, !53, !54, !55, !56, !57, !58}
!llvm.ident = !{!59}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 9, type: !49, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !17, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "example.c", directory: "/src", checksumkind: CSK_MD5, checksum: "cf94b45ae1ee443193347c4a3b483e97")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "f17199a988fe91afffaf0f943ef87096")
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
!52 = !{i32 7, !"Dwarf Version", i32 5}
!53 = !{i32 2, !"Debug Info Version", i32 3}
!54 = !{i32 1, !"wchar_size", i32 4}
!55 = !{i32 8, !"PIC Level", i32 2}
!56 = !{i32 7, !"PIE Level", i32 2}
!57 = !{i32 7, !"uwtable", i32 2}
!58 = !{i32 7, !"frame-pointer", i32 2}
!59 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!60 = distinct !DISubprogram(name: "both", scope: !3, file: !3, line: 14, type: !61, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !64)
!61 = !DISubroutineType(types: !62)
!62 = !{!21, !63, !16}
!63 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!64 = !{}
!65 = !DILocalVariable(name: "p", arg: 1, scope: !60, file: !3, line: 14, type: !63)
!66 = !DILocation(line: 14, column: 31, scope: !60)
!67 = !DILocalVariable(name: "i", arg: 2, scope: !60, file: !3, line: 14, type: !16)
!68 = !DILocation(line: 14, column: 38, scope: !60)
!69 = !DILocalVariable(name: "q", scope: !60, file: !3, line: 15, type: !21)
!70 = !DILocation(line: 15, column: 17, scope: !60)
!71 = !DILocation(line: 15, column: 21, scope: !60)
!72 = !DILocation(line: 15, column: 23, scope: !60)
!73 = !DILocation(line: 16, column: 18, scope: !60)
!74 = !DILocation(line: 16, column: 12, scope: !60)
!75 = !DILocation(line: 16, column: 7, scope: !60)
!76 = !DILocation(line: 16, column: 9, scope: !60)
!77 = !DILocation(line: 17, column: 5, scope: !60)
!78 = distinct !DISubprogram(name: "mean", scope: !3, file: !3, line: 19, type: !79, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !64)
!79 = !DISubroutineType(types: !80)
!80 = !{!81, !82, !81}
!81 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!82 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!83 = !DILocalVariable(name: "f", arg: 1, scope: !78, file: !3, line: 19, type: !82)
!84 = !DILocation(line: 19, column: 19, scope: !78)
!85 = !DILocalVariable(name: "d", arg: 2, scope: !78, file: !3, line: 19, type: !81)
!86 = !DILocation(line: 19, column: 29, scope: !78)
!87 = !DILocation(line: 19, column: 42, scope: !78)
!88 = !DILocation(line: 19, column: 46, scope: !78)
!89 = !DILocation(line: 19, column: 44, scope: !78)
!90 = !DILocation(line: 19, column: 49, scope: !78)
!91 = !DILocation(line: 19, column: 56, scope: !78)
!92 = !DILocation(line: 19, column: 34, scope: !78)
!93 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !94, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !64)
!94 = !DISubroutineType(types: !95)
!95 = !{!16, !16, !96}
!96 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !97, size: 64)
!97 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!98 = !DILocalVariable(name: "argc", arg: 1, scope: !93, file: !3, line: 20, type: !16)
!99 = !DILocation(line: 20, column: 14, scope: !93)
!100 = !DILocalVariable(name: "argv", arg: 2, scope: !93, file: !3, line: 20, type: !96)
!101 = !DILocation(line: 20, column: 27, scope: !93)
!102 = !DILocalVariable(name: "expected", scope: !93, file: !3, line: 21, type: !16)
!103 = !DILocation(line: 21, column: 9, scope: !93)
!104 = !DILocation(line: 22, column: 11, scope: !93)
!105 = !DILocation(line: 22, column: 5, scope: !93)
!106 = !DILocation(line: 22, column: 9, scope: !93)
!107 = !DILocalVariable(name: "i", scope: !108, file: !3, line: 23, type: !16)
!108 = distinct !DILexicalBlock(scope: !93, file: !3, line: 23, column: 5)
!109 = !DILocation(line: 23, column: 14, scope: !108)
!110 = !DILocation(line: 23, column: 10, scope: !108)
!111 = !DILocation(line: 23, column: 21, scope: !112)
!112 = distinct !DILexicalBlock(scope: !108, file: !3, line: 23, column: 5)
!113 = !DILocation(line: 23, column: 25, scope: !112)
!114 = !DILocation(line: 23, column: 23, scope: !112)
!115 = !DILocation(line: 23, column: 5, scope: !108)
!116 = !DILocation(line: 24, column: 17, scope: !117)
!117 = distinct !DILexicalBlock(scope: !112, file: !3, line: 23, column: 36)
!118 = !DILocation(line: 24, column: 9, scope: !117)
!119 = !DILocation(line: 25, column: 17, scope: !120)
!120 = distinct !DILexicalBlock(scope: !117, file: !3, line: 24, column: 65)
!121 = !DILocation(line: 25, column: 38, scope: !120)
!122 = !DILocation(line: 26, column: 17, scope: !120)
!123 = !DILocation(line: 26, column: 73, scope: !120)
!124 = !DILocation(line: 27, column: 18, scope: !120)
!125 = !DILocation(line: 28, column: 9, scope: !120)
!126 = !DILocation(line: 29, column: 5, scope: !117)
!127 = !DILocation(line: 23, column: 32, scope: !112)
!128 = !DILocation(line: 23, column: 5, scope: !112)
!129 = distinct !{!129, !115, !130, !131}
!130 = !DILocation(line: 29, column: 5, scope: !108)
!131 = !{!"llvm.loop.mustprogress"}
!132 = !DILocation(line: 30, column: 15, scope: !93)
!133 = !DILocation(line: 30, column: 5, scope: !93)
!134 = !DILocalVariable(name: "__vla_expr0", scope: !93, type: !135, flags: DIFlagArtificial)
!135 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!136 = !DILocation(line: 0, scope: !93)
!137 = !DILocalVariable(name: "sizes", scope: !93, file: !3, line: 30, type: !138)
!138 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, elements: !139)
!139 = !{!140}
!140 = !DISubrange(count: !134)
!141 = !DILocation(line: 30, column: 9, scope: !93)
!142 = !DILocation(line: 31, column: 5, scope: !93)
!143 = !DILocation(line: 31, column: 14, scope: !93)
!144 = !DILocation(line: 32, column: 5, scope: !93)
!145 = !DILocalVariable(name: "print", scope: !93, file: !3, line: 33, type: !146)
!146 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !147, size: 64)
!147 = !DISubroutineType(types: !148)
!148 = !{!16, !36, null}
!149 = !DILocation(line: 33, column: 11, scope: !93)
!150 = !DILocation(line: 34, column: 5, scope: !93)
!151 = !DILocation(line: 34, column: 25, scope: !93)
!152 = !DILocation(line: 34, column: 35, scope: !93)
!153 = !DILocation(line: 34, column: 45, scope: !93)
!154 = !DILocation(line: 35, column: 12, scope: !93)
!155 = !DILocation(line: 35, column: 16, scope: !93)
!156 = !DILocation(line: 35, column: 19, scope: !93)
!157 = !DILocation(line: 35, column: 26, scope: !93)
!158 = !DILocation(line: 35, column: 5, scope: !93)
!159 = !DILocation(line: 36, column: 1, scope: !93)
