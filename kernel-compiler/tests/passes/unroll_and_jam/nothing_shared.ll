; Rows that share no load and carry no value are not jammed.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %a, i64 %wide
  %own = load <8 x float>, ptr addrspace(1) %place, align 4
  %twice = fadd <8 x float> %own, %own
  store <8 x float> %twice, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: none

define void @k(ptr addrspace(1) %a) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %a, i64 %wide
  %own = load <8 x float>, ptr addrspace(1) %place, align 4
  %twice = fadd <8 x float> %own, %own
  store <8 x float> %twice, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done

done:                                             ; preds = %row
  ret void
}
