; Four rows are transposed, and each lane stores the places of all at once.
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %wide
  %values = load <4 x float>, ptr addrspace(1) %from, align 4
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  %value0 = extractelement <4 x float> %values, i64 0
  store float %value0, ptr addrspace(3) %column, align 4
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 256
  %value1 = extractelement <4 x float> %values, i64 1
  store float %value1, ptr addrspace(3) %column1, align 4
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 512
  %value2 = extractelement <4 x float> %values, i64 2
  store float %value2, ptr addrspace(3) %column2, align 4
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 768
  %value3 = extractelement <4 x float> %values, i64 3
  store float %value3, ptr addrspace(3) %column3, align 4
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
  %y = phi i32 [ 0, %entry ], [ %28, %row ]
  %0 = add nuw nsw i32 %y, 1
  %1 = add nuw nsw i32 %y, 2
  %2 = add nuw nsw i32 %y, 3
  %wide = zext nneg i32 %y to i64
  %3 = zext nneg i32 %0 to i64
  %4 = zext nneg i32 %1 to i64
  %5 = zext nneg i32 %2 to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %wide
  %6 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %3
  %7 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %4
  %8 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %5
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  %values = load <4 x float>, ptr addrspace(1) %from, align 4
  %9 = load <4 x float>, ptr addrspace(1) %6, align 4
  %10 = load <4 x float>, ptr addrspace(1) %7, align 4
  %11 = load <4 x float>, ptr addrspace(1) %8, align 4
  %12 = shufflevector <4 x float> %values, <4 x float> %9, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %13 = shufflevector <4 x float> %10, <4 x float> %11, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %14 = shufflevector <4 x float> %12, <4 x float> %13, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %15 = shufflevector <4 x float> %12, <4 x float> %13, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %16 = shufflevector <4 x float> %values, <4 x float> %9, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %17 = shufflevector <4 x float> %10, <4 x float> %11, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %18 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %19 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %20 = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> %14)
  %21 = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> %15)
  %22 = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> %18)
  %23 = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> %19)
  %24 = shufflevector <4 x float> %20, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %24, ptr addrspace(3) %column, align 4
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 256
  %25 = shufflevector <4 x float> %21, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %25, ptr addrspace(3) %column1, align 4
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 512
  %26 = shufflevector <4 x float> %22, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %26, ptr addrspace(3) %column2, align 4
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 768
  %27 = shufflevector <4 x float> %23, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %27, ptr addrspace(3) %column3, align 4
  %28 = add nuw nsw i32 %y, 4
  %29 = icmp ult i32 %28, 8
  br i1 %29, label %row, label %done

done:                                             ; preds = %row
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float>) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
