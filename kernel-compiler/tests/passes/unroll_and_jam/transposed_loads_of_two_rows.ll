; Each lane loads the places of two rows, where their number is no multiple of four, at once, and these are transposed.
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
  %more = icmp ult i32 %next, 6
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: [2]

define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %11, %row ]
  %0 = add nuw nsw i32 %y, 1
  %index = add nsw i32 %y, -2
  %wide = sext i32 %index to i64
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  %1 = load <2 x float>, ptr addrspace(3) %column, align 4
  %column1 = getelementptr i8, ptr addrspace(3) %column, i64 68
  %2 = load <2 x float>, ptr addrspace(3) %column1, align 4
  %column2 = getelementptr i8, ptr addrspace(3) %column, i64 136
  %3 = load <2 x float>, ptr addrspace(3) %column2, align 4
  %column3 = getelementptr i8, ptr addrspace(3) %column, i64 204
  %4 = load <2 x float>, ptr addrspace(3) %column3, align 4
  %5 = shufflevector <2 x float> %1, <2 x float> %3, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %6 = shufflevector <2 x float> %2, <2 x float> %4, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %7 = shufflevector <4 x float> %5, <4 x float> %6, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %8 = shufflevector <4 x float> %5, <4 x float> %6, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %zero = zext nneg i32 %y to i64
  %9 = zext nneg i32 %0 to i64
  %to = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %zero
  %10 = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %9
  store <4 x float> %7, ptr addrspace(1) %to, align 4
  store <4 x float> %8, ptr addrspace(1) %10, align 4
  %11 = add nuw nsw i32 %y, 2
  %12 = icmp ult i32 %11, 6
  br i1 %12, label %row, label %done

done:                                             ; preds = %row
  ret void
}
