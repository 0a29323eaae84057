; Rows that may take different branches are not jammed.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %latch ]
  %shared = load <8 x float>, ptr addrspace(1) %a, align 4
  %some = icmp ult i32 %y, 3
  br i1 %some, label %write, label %latch

write:
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %wide
  store <8 x float> %shared, ptr addrspace(1) %place, align 4
  br label %latch

latch:
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: none

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:                                              ; preds = %latch, %entry
  %y = phi i32 [ 0, %entry ], [ %next, %latch ]
  %shared = load <8 x float>, ptr addrspace(1) %a, align 4
  %some = icmp ult i32 %y, 3
  br i1 %some, label %write, label %latch

write:                                            ; preds = %row
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %wide
  store <8 x float> %shared, ptr addrspace(1) %place, align 4
  br label %latch

latch:                                            ; preds = %write, %row
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done

done:                                             ; preds = %latch
  ret void
}
