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
  %7 = icmp ne i16 %6, 0
  %8 = zext i1 %7 to i64
  %9 = load i64, ptr %counter1, align 8
  %10 = add i64 %9, %8
  store i64 %10, ptr %counter1, align 8
  %11 = bitcast <16 x i1> %lanes to i16
  %12 = zext i16 %11 to i64
  %13 = call i64 @llvm.ctpop.i64(i64 %12)
  %14 = load i64, ptr %counter2, align 8
  %15 = add i64 %14, %13
  store i64 %15, ptr %counter2, align 8
  %16 = load i64, ptr %counter, align 8
  %17 = getelementptr inbounds i8, ptr %1, i64 0
  store i64 %16, ptr %17, align 8
  %18 = load i64, ptr %counter1, align 8
  %19 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %18, ptr %19, align 8
  %20 = load i64, ptr %counter2, align 8
  %21 = getelementptr inbounds i8, ptr %1, i64 16
  store i64 %20, ptr %21, align 8
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
