; The same of 64 bits, which are interleaved within 128 bits differently.
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %from = getelementptr <4 x i64>, ptr addrspace(1) %a, i64 %wide
  %values = load <4 x i64>, ptr addrspace(1) %from, align 8
  %column = getelementptr i64, ptr addrspace(3) %tile, i64 %wide
  %value0 = extractelement <4 x i64> %values, i64 0
  store i64 %value0, ptr addrspace(3) %column, align 8
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 256
  %value1 = extractelement <4 x i64> %values, i64 1
  store i64 %value1, ptr addrspace(3) %column1, align 8
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 512
  %value2 = extractelement <4 x i64> %values, i64 2
  store i64 %value2, ptr addrspace(3) %column2, align 8
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 768
  %value3 = extractelement <4 x i64> %values, i64 3
  store i64 %value3, ptr addrspace(3) %column3, align 8
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: [4]

define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %36, %row ]
  %0 = add nuw nsw i32 %y, 1
  %1 = add nuw nsw i32 %y, 2
  %2 = add nuw nsw i32 %y, 3
  %wide = zext nneg i32 %y to i64
  %3 = zext nneg i32 %0 to i64
  %4 = zext nneg i32 %1 to i64
  %5 = zext nneg i32 %2 to i64
  %from = getelementptr <4 x i64>, ptr addrspace(1) %a, i64 %wide
  %6 = getelementptr <4 x i64>, ptr addrspace(1) %a, i64 %3
  %7 = getelementptr <4 x i64>, ptr addrspace(1) %a, i64 %4
  %8 = getelementptr <4 x i64>, ptr addrspace(1) %a, i64 %5
  %column = getelementptr i64, ptr addrspace(3) %tile, i64 %wide
  %values = load <4 x i64>, ptr addrspace(1) %from, align 8
  %9 = load <4 x i64>, ptr addrspace(1) %6, align 8
  %10 = load <4 x i64>, ptr addrspace(1) %7, align 8
  %11 = load <4 x i64>, ptr addrspace(1) %8, align 8
  %12 = shufflevector <4 x i64> %values, <4 x i64> %9, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %13 = shufflevector <4 x i64> %10, <4 x i64> %11, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %14 = shufflevector <4 x i64> %12, <4 x i64> %13, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %15 = shufflevector <4 x i64> %12, <4 x i64> %13, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %16 = shufflevector <4 x i64> %values, <4 x i64> %9, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %17 = shufflevector <4 x i64> %10, <4 x i64> %11, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %18 = shufflevector <4 x i64> %16, <4 x i64> %17, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %19 = shufflevector <4 x i64> %16, <4 x i64> %17, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %20 = bitcast <4 x i64> %14 to <4 x double>
  %21 = call <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double> %20)
  %22 = bitcast <4 x double> %21 to <4 x i64>
  %23 = bitcast <4 x i64> %18 to <4 x double>
  %24 = call <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double> %23)
  %25 = bitcast <4 x double> %24 to <4 x i64>
  %26 = bitcast <4 x i64> %15 to <4 x double>
  %27 = call <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double> %26)
  %28 = bitcast <4 x double> %27 to <4 x i64>
  %29 = bitcast <4 x i64> %19 to <4 x double>
  %30 = call <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double> %29)
  %31 = bitcast <4 x double> %30 to <4 x i64>
  %32 = shufflevector <4 x i64> %22, <4 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i64> %32, ptr addrspace(3) %column, align 8
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 256
  %33 = shufflevector <4 x i64> %25, <4 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i64> %33, ptr addrspace(3) %column1, align 8
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 512
  %34 = shufflevector <4 x i64> %28, <4 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i64> %34, ptr addrspace(3) %column2, align 8
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 768
  %35 = shufflevector <4 x i64> %31, <4 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i64> %35, ptr addrspace(3) %column3, align 8
  %36 = add nuw nsw i32 %y, 4
  %37 = icmp ult i32 %36, 8
  br i1 %37, label %row, label %done

done:                                             ; preds = %row
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double>) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
