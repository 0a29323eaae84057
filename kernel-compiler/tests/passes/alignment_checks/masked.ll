; Only lanes that are accessed raise an exception.
define <4 x i32> @k(ptr %values, <4 x i1> %mask) {
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %values, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %loaded
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr captures(none), <4 x i1>, <4 x i32>)

; ==== after ====
define <4 x i32> @k(ptr %values, <4 x i1> %mask) {
  %1 = ptrtoint ptr %values to i64
  %2 = and i64 %1, 3
  %3 = icmp ne i64 %2, 0
  br i1 %3, label %4, label %12, !prof !0

4:                                                ; preds = %0
  %5 = ptrtoint ptr %values to i64
  %6 = and i64 %5, 3
  %7 = icmp ne i64 %6, 0
  %8 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %mask)
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %11, !prof !0

10:                                               ; preds = %4
  call void @__ht_misaligned(ptr %values) #3
  unreachable

11:                                               ; preds = %4
  br label %12

12:                                               ; preds = %0, %11
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %values, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %loaded
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr captures(none), <4 x i1>, <4 x i32>) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>) #1

; Function Attrs: cold noreturn
declare void @__ht_misaligned(ptr) #2

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { cold noreturn }
attributes #3 = { noreturn }

!0 = !{!"branch_weights", i32 1, i32 1048575}
