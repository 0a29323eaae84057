; Each lane loads the places of four rows at once, and these are transposed.
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %index = add nsw i32 %y, -2
  %wide = sext i32 %index to i64
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  %value0 = load float, ptr addrspace(3) %column, align 4
  %values0 = insertelement <4 x float> poison, float %value0, i64 0
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 68
  %value1 = load float, ptr addrspace(3) %column1, align 4
  %values1 = insertelement <4 x float> %values0, float %value1, i64 1
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 136
  %value2 = load float, ptr addrspace(3) %column2, align 4
  %values2 = insertelement <4 x float> %values1, float %value2, i64 2
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 204
  %value3 = load float, ptr addrspace(3) %column3, align 4
  %values3 = insertelement <4 x float> %values2, float %value3, i64 3
  %zero = zext nneg i32 %y to i64
  %to = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %zero
  store <4 x float> %values3, ptr addrspace(1) %to, align 4
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
  %y = phi i32 [ 0, %entry ], [ %21, %row ]
  %0 = add nuw nsw i32 %y, 1
  %1 = add nuw nsw i32 %y, 2
  %2 = add nuw nsw i32 %y, 3
  %index = add nsw i32 %y, -2
  %wide = sext i32 %index to i64
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  %3 = load <4 x float>, ptr addrspace(3) %column, align 4
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 68
  %4 = load <4 x float>, ptr addrspace(3) %column1, align 4
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 136
  %5 = load <4 x float>, ptr addrspace(3) %column2, align 4
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 204
  %6 = load <4 x float>, ptr addrspace(3) %column3, align 4
  %7 = shufflevector <4 x float> %3, <4 x float> %4, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %8 = shufflevector <4 x float> %5, <4 x float> %6, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %9 = shufflevector <4 x float> %7, <4 x float> %8, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %10 = shufflevector <4 x float> %7, <4 x float> %8, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %11 = shufflevector <4 x float> %3, <4 x float> %4, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %12 = shufflevector <4 x float> %5, <4 x float> %6, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %13 = shufflevector <4 x float> %11, <4 x float> %12, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %14 = shufflevector <4 x float> %11, <4 x float> %12, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %zero = zext nneg i32 %y to i64
  %15 = zext nneg i32 %0 to i64
  %16 = zext nneg i32 %1 to i64
  %17 = zext nneg i32 %2 to i64
  %to = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %zero
  %18 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %15
  %19 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %16
  %20 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %17
  store <4 x float> %9, ptr addrspace(1) %to, align 4
  store <4 x float> %10, ptr addrspace(1) %18, align 4
  store <4 x float> %13, ptr addrspace(1) %19, align 4
  store <4 x float> %14, ptr addrspace(1) %20, align 4
  %21 = add nuw nsw i32 %y, 4
  %22 = icmp ult i32 %21, 8
  br i1 %22, label %row, label %done

done:                                             ; preds = %row
  ret void
}
