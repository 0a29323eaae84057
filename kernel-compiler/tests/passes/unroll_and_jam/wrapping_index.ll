; An index that may wrap from one row to the next.
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %wide
  %values = load <4 x float>, ptr addrspace(1) %from, align 4
  %before = add i32 %y, -2
  %index = zext i32 %before to i64
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %index
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
; unroll and jam: none

define void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %wide
  %before = add i32 %y, -2
  %index = zext i32 %before to i64
  %column = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %values = load <4 x float>, ptr addrspace(1) %from, align 4
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
  br i1 %more, label %row, label %done

done:                                             ; preds = %row
  ret void
}
