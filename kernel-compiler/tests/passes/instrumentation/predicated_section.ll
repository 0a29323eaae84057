; If-converted code: besides the active lanes, runs with some active lane are counted.
declare void @__mocl3_predicated_lanes.16(<16 x i1>)

define void @k(ptr %arguments, ptr %context) {
  %lanes = load <16 x i1>, ptr %arguments, align 2
  call void @__mocl3_predicated_lanes.16(<16 x i1> %lanes)
  ret void
}

; ==== after ====
declare void @__mocl3_predicated_lanes.16(<16 x i1>)

define void @k(ptr %arguments, ptr %context) {
block:
  %0 = getelementptr inbounds i8, ptr %context, i64 144
  %1 = load ptr, ptr %0, align 8
  %2 = getelementptr inbounds i8, ptr %context, i64 152
  %3 = load ptr, ptr %2, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %counter1 = alloca i64, align 8
  store i64 0, ptr %counter1, align 8
  %counter2 = alloca i64, align 8
  store i64 0, ptr %counter2, align 8
  %4 = load i64, ptr %counter, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %counter, align 8
  %lanes = load <16 x i1>, ptr %arguments, align 2
  %6 = bitcast <16 x i1> %lanes to i16
  %7 = zext i16 %6 to i64
  %8 = lshr i64 %7, 1
  %9 = or i64 %7, %8
  %10 = lshr i64 %9, 2
  %11 = or i64 %9, %10
  %12 = lshr i64 %11, 4
  %13 = or i64 %11, %12
  %14 = lshr i64 %13, 8
  %15 = or i64 %13, %14
  %16 = and i64 %15, 1
  %17 = call i64 @llvm.ctpop.i64(i64 %16)
  %18 = load i64, ptr %counter1, align 8
  %19 = add i64 %18, %17
  store i64 %19, ptr %counter1, align 8
  %20 = bitcast <16 x i1> %lanes to i16
  %21 = zext i16 %20 to i64
  %22 = call i64 @llvm.ctpop.i64(i64 %21)
  %23 = load i64, ptr %counter2, align 8
  %24 = add i64 %23, %22
  store i64 %24, ptr %counter2, align 8
  %25 = load i64, ptr %counter, align 8
  %26 = getelementptr inbounds i8, ptr %1, i64 0
  store i64 %25, ptr %26, align 8
  %27 = load i64, ptr %counter1, align 8
  %28 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %27, ptr %28, align 8
  %29 = load i64, ptr %counter2, align 8
  %30 = getelementptr inbounds i8, ptr %1, i64 16
  store i64 %29, ptr %30, align 8
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
