; ModuleID = 'example.c'
source_filename = "example.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i32, i64 }

@table = dso_local global [3 x i32] [i32 1, i32 2, i32 3], align 4, !dbg !0
@pairs = dso_local global [2 x %struct.pair] [%struct.pair { i32 1, i64 2 }, %struct.pair { i32 3, i64 4 }], align 16, !dbg !18
@.str = private unnamed_addr constant [7 x i8] c"hello\0A\00", align 1
@greeting = dso_local global i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str, i32 0, i32 0), align 8, !dbg !28
@own = dso_local thread_local global i32 0, align 4, !dbg !33
@x = internal global i32 1, align 4, !dbg !35
@.str.1 = private unnamed_addr constant [10 x i8] c"%s %d %f\0A\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local { i32, i64 } @both(%struct.pair* noundef %p, i32 noundef %i) #0 !dbg !50 {
entry:
  %retval = alloca %struct.pair, align 8
  %p.addr = alloca %struct.pair*, align 8
  %i.addr = alloca i32, align 4
  store %struct.pair* %p, %struct.pair** %p.addr, align 8
  call void @llvm.dbg.declare(metadata %struct.pair** %p.addr, metadata !55, metadata !DIExpression()), !dbg !56
  store i32 %i, i32* %i.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %i.addr, metadata !57, metadata !DIExpression()), !dbg !58
  call void @llvm.dbg.declare(metadata %struct.pair* %retval, metadata !59, metadata !DIExpression()), !dbg !60
  %0 = load %struct.pair*, %struct.pair** %p.addr, align 8, !dbg !61
  %1 = load i32, i32* %i.addr, align 4, !dbg !62
  %idxprom = sext i32 %1 to i64, !dbg !61
  %arrayidx = getelementptr inbounds %struct.pair, %struct.pair* %0, i64 %idxprom, !dbg !61
  %2 = bitcast %struct.pair* %retval to i8*, !dbg !61
  %3 = bitcast %struct.pair* %arrayidx to i8*, !dbg !61
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %2, i8* align 8 %3, i64 16, i1 false), !dbg !61
  %4 = load i32, i32* %i.addr, align 4, !dbg !63
  %idxprom1 = sext i32 %4 to i64, !dbg !64
  %arrayidx2 = getelementptr inbounds [3 x i32], [3 x i32]* @table, i64 0, i64 %idxprom1, !dbg !64
  %5 = load i32, i32* %arrayidx2, align 4, !dbg !64
  %a = getelementptr inbounds %struct.pair, %struct.pair* %retval, i32 0, i32 0, !dbg !65
  %6 = load i32, i32* %a, align 8, !dbg !66
  %add = add nsw i32 %6, %5, !dbg !66
  store i32 %add, i32* %a, align 8, !dbg !66
  %7 = bitcast %struct.pair* %retval to { i32, i64 }*, !dbg !67
  %8 = load { i32, i64 }, { i32, i64 }* %7, align 8, !dbg !67
  ret { i32, i64 } %8, !dbg !67
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: noinline nounwind optnone uwtable
define dso_local double @mean(float noundef %f, double noundef %d) #0 !dbg !68 {
entry:
  %f.addr = alloca float, align 4
  %d.addr = alloca double, align 8
  store float %f, float* %f.addr, align 4
  call void @llvm.dbg.declare(metadata float* %f.addr, metadata !73, metadata !DIExpression()), !dbg !74
  store double %d, double* %d.addr, align 8
  call void @llvm.dbg.declare(metadata double* %d.addr, metadata !75, metadata !DIExpression()), !dbg !76
  %0 = load float, float* %f.addr, align 4, !dbg !77
  %conv = fpext float %0 to double, !dbg !77
  %1 = load double, double* %d.addr, align 8, !dbg !78
  %add = fadd double %conv, %1, !dbg !79
  %div = fdiv double %add, 2.500000e+00, !dbg !80
  %sub = fsub double %div, 0x3FB99999A0000000, !dbg !81
  ret double %sub, !dbg !82
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %argc, i8** noundef %argv) #0 !dbg !83 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca i8**, align 8
  %expected = alloca i32, align 4
  %i = alloca i32, align 4
  %atomic-temp = alloca i32, align 4
  %.atomictmp = alloca i32, align 4
  %.atomictmp2 = alloca i32, align 4
  %atomic-temp3 = alloca i32, align 4
  %.atomictmp4 = alloca i32, align 4
  %coerce = alloca %struct.pair, align 8
  %cmpxchg.bool = alloca i8, align 1
  %saved_stack = alloca i8*, align 8
  %__vla_expr0 = alloca i64, align 8
  %print = alloca i32 (i8*, ...)*, align 8
  store i32 0, i32* %retval, align 4
  store i32 %argc, i32* %argc.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %argc.addr, metadata !88, metadata !DIExpression()), !dbg !89
  store i8** %argv, i8*** %argv.addr, align 8
  call void @llvm.dbg.declare(metadata i8*** %argv.addr, metadata !90, metadata !DIExpression()), !dbg !91
  call void @llvm.dbg.declare(metadata i32* %expected, metadata !92, metadata !DIExpression()), !dbg !93
  store i32 0, i32* %expected, align 4, !dbg !93
  %0 = load i32, i32* %argc.addr, align 4, !dbg !94
  store i32 %0, i32* @own, align 4, !dbg !95
  call void @llvm.dbg.declare(metadata i32* %i, metadata !96, metadata !DIExpression()), !dbg !98
  store i32 0, i32* %i, align 4, !dbg !98
  br label %for.cond, !dbg !99

for.cond:                                         ; preds = %for.inc, %entry
  %1 = load i32, i32* %i, align 4, !dbg !100
  %2 = load i32, i32* %argc.addr, align 4, !dbg !102
  %cmp = icmp slt i32 %1, %2, !dbg !103
  br i1 %cmp, label %for.body, label %for.end, !dbg !104

for.body:                                         ; preds = %for.cond
  %3 = load atomic i32, i32* @x acquire, align 4, !dbg !105
  store i32 %3, i32* %atomic-temp, align 4, !dbg !105
  %4 = load i32, i32* %atomic-temp, align 4, !dbg !105
  switch i32 %4, label %sw.default [
    i32 0, label %sw.bb
    i32 7, label %sw.bb1
  ], !dbg !107

sw.bb:                                            ; preds = %for.body
  %5 = load i32, i32* %i, align 4, !dbg !108
  store i32 %5, i32* %.atomictmp, align 4, !dbg !108
  %6 = load i32, i32* %.atomictmp, align 4, !dbg !108
  store atomic i32 %6, i32* @x seq_cst, align 4, !dbg !108
  br label %sw.epilog, !dbg !110

sw.bb1:                                           ; preds = %for.body
  store i32 2, i32* %.atomictmp2, align 4, !dbg !111
  %7 = load i32, i32* %.atomictmp2, align 4, !dbg !111
  %8 = atomicrmw add i32* @x, i32 %7 monotonic, align 4, !dbg !111
  store i32 %8, i32* %atomic-temp3, align 4, !dbg !111
  %9 = load i32, i32* %atomic-temp3, align 4, !dbg !111
  br label %sw.epilog, !dbg !112

sw.default:                                       ; preds = %for.body
  %10 = load i32, i32* %i, align 4, !dbg !113
  %call = call { i32, i64 } @both(%struct.pair* noundef getelementptr inbounds ([2 x %struct.pair], [2 x %struct.pair]* @pairs, i64 0, i64 0), i32 noundef %10), !dbg !113
  %11 = bitcast %struct.pair* %coerce to { i32, i64 }*, !dbg !113
  %12 = getelementptr inbounds { i32, i64 }, { i32, i64 }* %11, i32 0, i32 0, !dbg !113
  %13 = extractvalue { i32, i64 } %call, 0, !dbg !113
  store i32 %13, i32* %12, align 8, !dbg !113
  %14 = getelementptr inbounds { i32, i64 }, { i32, i64 }* %11, i32 0, i32 1, !dbg !113
  %15 = extractvalue { i32, i64 } %call, 1, !dbg !113
  store i64 %15, i64* %14, align 8, !dbg !113
  %b = getelementptr inbounds %struct.pair, %struct.pair* %coerce, i32 0, i32 1, !dbg !113
  %16 = load i64, i64* %b, align 8, !dbg !113
  %conv = trunc i64 %16 to i32, !dbg !113
  store i32 %conv, i32* %.atomictmp4, align 4, !dbg !113
  %17 = load i32, i32* %expected, align 4, !dbg !113
  %18 = load i32, i32* %.atomictmp4, align 4, !dbg !113
  %19 = cmpxchg weak i32* @x, i32 %17, i32 %18 seq_cst seq_cst, align 4, !dbg !113
  %20 = extractvalue { i32, i1 } %19, 0, !dbg !113
  %21 = extractvalue { i32, i1 } %19, 1, !dbg !113
  br i1 %21, label %cmpxchg.continue, label %cmpxchg.store_expected, !dbg !113

cmpxchg.store_expected:                           ; preds = %sw.default
  store i32 %20, i32* %expected, align 4, !dbg !113
  br label %cmpxchg.continue, !dbg !113

cmpxchg.continue:                                 ; preds = %cmpxchg.store_expected, %sw.default
  %frombool = zext i1 %21 to i8, !dbg !113
  store i8 %frombool, i8* %cmpxchg.bool, align 1, !dbg !113
  %22 = load i8, i8* %cmpxchg.bool, align 1, !dbg !113
  %tobool = trunc i8 %22 to i1, !dbg !113
  br label %sw.epilog, !dbg !114

sw.epilog:                                        ; preds = %cmpxchg.continue, %sw.bb1, %sw.bb
  br label %for.inc, !dbg !115

for.inc:                                          ; preds = %sw.epilog
  %23 = load i32, i32* %i, align 4, !dbg !116
  %inc = add nsw i32 %23, 1, !dbg !116
  store i32 %inc, i32* %i, align 4, !dbg !116
  br label %for.cond, !dbg !117, !llvm.loop !118

for.end:                                          ; preds = %for.cond
  %24 = load i32, i32* %argc.addr, align 4, !dbg !121
  %25 = zext i32 %24 to i64, !dbg !122
  %26 = call i8* @llvm.stacksave(), !dbg !122
  store i8* %26, i8** %saved_stack, align 8, !dbg !122
  %vla = alloca i32, i64 %25, align 16, !dbg !122
  store i64 %25, i64* %__vla_expr0, align 8, !dbg !122
  call void @llvm.dbg.declare(metadata i64* %__vla_expr0, metadata !123, metadata !DIExpression()), !dbg !125
  call void @llvm.dbg.declare(metadata i32* %vla, metadata !126, metadata !DIExpression()), !dbg !130
  %arrayidx = getelementptr inbounds i32, i32* %vla, i64 0, !dbg !131
  store i32 3, i32* %arrayidx, align 16, !dbg !132
  fence seq_cst, !dbg !133
  call void @llvm.dbg.declare(metadata i32 (i8*, ...)** %print, metadata !134, metadata !DIExpression()), !dbg !138
  store i32 (i8*, ...)* @printf, i32 (i8*, ...)** %print, align 8, !dbg !138
  %27 = load i32 (i8*, ...)*, i32 (i8*, ...)** %print, align 8, !dbg !139
  %28 = load i8*, i8** @greeting, align 8, !dbg !140
  %arrayidx5 = getelementptr inbounds i32, i32* %vla, i64 0, !dbg !141
  %29 = load i32, i32* %arrayidx5, align 16, !dbg !141
  %call6 = call double @mean(float noundef 1.000000e+00, double noundef 2.000000e+00), !dbg !142
  %call7 = call i32 (i8*, ...) %27(i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i8* noundef %28, i32 noundef %29, double noundef %call6), !dbg !139
  %30 = load i32, i32* @own, align 4, !dbg !143
  %tobool8 = icmp ne i32 %30, 0, !dbg !143
  br i1 %tobool8, label %land.lhs.true, label %cond.false, !dbg !144

land.lhs.true:                                    ; preds = %for.end
  %31 = load i8**, i8*** %argv.addr, align 8, !dbg !145
  %tobool9 = icmp ne i8** %31, null, !dbg !145
  br i1 %tobool9, label %cond.true, label %cond.false, !dbg !143

cond.true:                                        ; preds = %land.lhs.true
  %32 = load i32, i32* %expected, align 4, !dbg !146
  br label %cond.end, !dbg !143

cond.false:                                       ; preds = %land.lhs.true, %for.end
  br label %cond.end, !dbg !143

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %32, %cond.true ], [ -1, %cond.false ], !dbg !143
  store i32 %cond, i32* %retval, align 4, !dbg !147
  %33 = load i8*, i8** %saved_stack, align 8, !dbg !148
  call void @llvm.stackrestore(i8* %33), !dbg !148
  %34 = load i32, i32* %retval, align 4, !dbg !148
  ret i32 %34, !dbg !148
}

; Function Attrs: nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #3

declare i32 @printf(i8* noundef, ...) #4

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #3

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { argmemonly nofree nounwind willreturn }
attributes #3 = { nofree nosync nounwind willreturn }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!42, !43, !44, !45, !46, !47, !48}
!llvm.ident = !{!49}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 9, type: !39, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !17, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "example.c", directory: "/src", checksumkind: CSK_MD5, checksum: "cf94b45ae1ee443193347c4a3b483e97")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 56, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "de5d66a1ef2f5448cc1919ff39db92bc")
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
!17 = !{!0, !18, !28, !33, !35}
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
!29 = distinct !DIGlobalVariable(name: "greeting", scope: !2, file: !3, line: 11, type: !30, isLocal: false, isDefinition: true)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!31 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !32)
!32 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 8, type: !16, isLocal: false, isDefinition: true)
!35 = !DIGlobalVariableExpression(var: !36, expr: !DIExpression())
!36 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 7, type: !37, isLocal: true, isDefinition: true)
!37 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 92, baseType: !38)
!38 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !16)
!39 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, size: 96, elements: !40)
!40 = !{!41}
!41 = !DISubrange(count: 3)
!42 = !{i32 7, !"Dwarf Version", i32 5}
!43 = !{i32 2, !"Debug Info Version", i32 3}
!44 = !{i32 1, !"wchar_size", i32 4}
!45 = !{i32 7, !"PIC Level", i32 2}
!46 = !{i32 7, !"PIE Level", i32 2}
!47 = !{i32 7, !"uwtable", i32 1}
!48 = !{i32 7, !"frame-pointer", i32 2}
!49 = !{!"Debian clang version 14.0.6"}
!50 = distinct !DISubprogram(name: "both", scope: !3, file: !3, line: 14, type: !51, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !54)
!51 = !DISubroutineType(types: !52)
!52 = !{!21, !53, !16}
!53 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!54 = !{}
!55 = !DILocalVariable(name: "p", arg: 1, scope: !50, file: !3, line: 14, type: !53)
!56 = !DILocation(line: 14, column: 31, scope: !50)
!57 = !DILocalVariable(name: "i", arg: 2, scope: !50, file: !3, line: 14, type: !16)
!58 = !DILocation(line: 14, column: 38, scope: !50)
!59 = !DILocalVariable(name: "q", scope: !50, file: !3, line: 15, type: !21)
!60 = !DILocation(line: 15, column: 17, scope: !50)
!61 = !DILocation(line: 15, column: 21, scope: !50)
!62 = !DILocation(line: 15, column: 23, scope: !50)
!63 = !DILocation(line: 16, column: 18, scope: !50)
!64 = !DILocation(line: 16, column: 12, scope: !50)
!65 = !DILocation(line: 16, column: 7, scope: !50)
!66 = !DILocation(line: 16, column: 9, scope: !50)
!67 = !DILocation(line: 17, column: 5, scope: !50)
!68 = distinct !DISubprogram(name: "mean", scope: !3, file: !3, line: 19, type: !69, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !54)
!69 = !DISubroutineType(types: !70)
!70 = !{!71, !72, !71}
!71 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!72 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!73 = !DILocalVariable(name: "f", arg: 1, scope: !68, file: !3, line: 19, type: !72)
!74 = !DILocation(line: 19, column: 19, scope: !68)
!75 = !DILocalVariable(name: "d", arg: 2, scope: !68, file: !3, line: 19, type: !71)
!76 = !DILocation(line: 19, column: 29, scope: !68)
!77 = !DILocation(line: 19, column: 42, scope: !68)
!78 = !DILocation(line: 19, column: 46, scope: !68)
!79 = !DILocation(line: 19, column: 44, scope: !68)
!80 = !DILocation(line: 19, column: 49, scope: !68)
!81 = !DILocation(line: 19, column: 56, scope: !68)
!82 = !DILocation(line: 19, column: 34, scope: !68)
!83 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !84, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !54)
!84 = !DISubroutineType(types: !85)
!85 = !{!16, !16, !86}
!86 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !87, size: 64)
!87 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !32, size: 64)
!88 = !DILocalVariable(name: "argc", arg: 1, scope: !83, file: !3, line: 20, type: !16)
!89 = !DILocation(line: 20, column: 14, scope: !83)
!90 = !DILocalVariable(name: "argv", arg: 2, scope: !83, file: !3, line: 20, type: !86)
!91 = !DILocation(line: 20, column: 27, scope: !83)
!92 = !DILocalVariable(name: "expected", scope: !83, file: !3, line: 21, type: !16)
!93 = !DILocation(line: 21, column: 9, scope: !83)
!94 = !DILocation(line: 22, column: 11, scope: !83)
!95 = !DILocation(line: 22, column: 9, scope: !83)
!96 = !DILocalVariable(name: "i", scope: !97, file: !3, line: 23, type: !16)
!97 = distinct !DILexicalBlock(scope: !83, file: !3, line: 23, column: 5)
!98 = !DILocation(line: 23, column: 14, scope: !97)
!99 = !DILocation(line: 23, column: 10, scope: !97)
!100 = !DILocation(line: 23, column: 21, scope: !101)
!101 = distinct !DILexicalBlock(scope: !97, file: !3, line: 23, column: 5)
!102 = !DILocation(line: 23, column: 25, scope: !101)
!103 = !DILocation(line: 23, column: 23, scope: !101)
!104 = !DILocation(line: 23, column: 5, scope: !97)
!105 = !DILocation(line: 24, column: 17, scope: !106)
!106 = distinct !DILexicalBlock(scope: !101, file: !3, line: 23, column: 36)
!107 = !DILocation(line: 24, column: 9, scope: !106)
!108 = !DILocation(line: 25, column: 17, scope: !109)
!109 = distinct !DILexicalBlock(scope: !106, file: !3, line: 24, column: 65)
!110 = !DILocation(line: 25, column: 38, scope: !109)
!111 = !DILocation(line: 26, column: 17, scope: !109)
!112 = !DILocation(line: 26, column: 73, scope: !109)
!113 = !DILocation(line: 27, column: 18, scope: !109)
!114 = !DILocation(line: 28, column: 9, scope: !109)
!115 = !DILocation(line: 29, column: 5, scope: !106)
!116 = !DILocation(line: 23, column: 32, scope: !101)
!117 = !DILocation(line: 23, column: 5, scope: !101)
!118 = distinct !{!118, !104, !119, !120}
!119 = !DILocation(line: 29, column: 5, scope: !97)
!120 = !{!"llvm.loop.mustprogress"}
!121 = !DILocation(line: 30, column: 15, scope: !83)
!122 = !DILocation(line: 30, column: 5, scope: !83)
!123 = !DILocalVariable(name: "__vla_expr0", scope: !83, type: !124, flags: DIFlagArtificial)
!124 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!125 = !DILocation(line: 0, scope: !83)
!126 = !DILocalVariable(name: "sizes", scope: !83, file: !3, line: 30, type: !127)
!127 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, elements: !128)
!128 = !{!129}
!129 = !DISubrange(count: !123)
!130 = !DILocation(line: 30, column: 9, scope: !83)
!131 = !DILocation(line: 31, column: 5, scope: !83)
!132 = !DILocation(line: 31, column: 14, scope: !83)
!133 = !DILocation(line: 32, column: 5, scope: !83)
!134 = !DILocalVariable(name: "print", scope: !83, file: !3, line: 33, type: !135)
!135 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !136, size: 64)
!136 = !DISubroutineType(types: !137)
!137 = !{!16, !30, null}
!138 = !DILocation(line: 33, column: 11, scope: !83)
!139 = !DILocation(line: 34, column: 5, scope: !83)
!140 = !DILocation(line: 34, column: 25, scope: !83)
!141 = !DILocation(line: 34, column: 35, scope: !83)
!142 = !DILocation(line: 34, column: 45, scope: !83)
!143 = !DILocation(line: 35, column: 12, scope: !83)
!144 = !DILocation(line: 35, column: 16, scope: !83)
!145 = !DILocation(line: 35, column: 19, scope: !83)
!146 = !DILocation(line: 35, column: 26, scope: !83)
!147 = !DILocation(line: 35, column: 5, scope: !83)
!148 = !DILocation(line: 36, column: 1, scope: !83)
