; Four rows share a load; each has its own sum and store.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %shared = load <8 x float>, ptr addrspace(1) %a, align 4
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %wide
  %own = load <8 x float>, ptr addrspace(1) %place, align 4
  %sum = fadd <8 x float> %own, %shared
  store <8 x float> %sum, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: [4]

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %15, %row ]
  %0 = add nuw nsw i32 %y, 1
  %1 = add nuw nsw i32 %y, 2
  %2 = add nuw nsw i32 %y, 3
  %wide = zext nneg i32 %y to i64
  %3 = zext nneg i32 %0 to i64
  %4 = zext nneg i32 %1 to i64
  %5 = zext nneg i32 %2 to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %wide
  %6 = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %3
  %7 = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %4
  %8 = getelementptr <8 x float>, ptr addrspace(1) %b, i64 %5
  %own = load <8 x float>, ptr addrspace(1) %place, align 4
  %9 = load <8 x float>, ptr addrspace(1) %6, align 4
  %10 = load <8 x float>, ptr addrspace(1) %7, align 4
  %11 = load <8 x float>, ptr addrspace(1) %8, align 4
  %shared = load <8 x float>, ptr addrspace(1) %a, align 4
  %sum = fadd <8 x float> %own, %shared
  %12 = fadd <8 x float> %9, %shared
  %13 = fadd <8 x float> %10, %shared
  %14 = fadd <8 x float> %11, %shared
  store <8 x float> %sum, ptr addrspace(1) %place, align 4
  store <8 x float> %12, ptr addrspace(1) %6, align 4
  store <8 x float> %13, ptr addrspace(1) %7, align 4
  store <8 x float> %14, ptr addrspace(1) %8, align 4
  %15 = add nuw nsw i32 %y, 4
  %16 = icmp ult i32 %15, 8
  br i1 %16, label %row, label %done

done:                                             ; preds = %row
  ret void
}
