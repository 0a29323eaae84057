; The same, with the index in bytes: one shift extends and multiplies.
define void @k(ptr addrspace(1) %x, i32 %first, i64 %size, i64 %bytes, i32 %n) {
entry:
  %start = zext nneg i32 %first to i64
  br label %body

body:
  %wide = phi i64 [ %start, %entry ], [ %next, %latch ]
  %upper = shl i64 %wide, 32
  %index = ashr exact i64 %upper, 32
  %offset = ashr exact i64 %upper, 30
  %inside = icmp ult i64 %offset, %bytes
  br i1 %inside, label %access, label %latch

access:
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  store float 0.0, ptr addrspace(1) %address, align 4
  br label %latch

latch:
  %next = add i64 %index, %size
  %counter = trunc i64 %next to i32
  %more = icmp slt i32 %counter, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, i32 %first, i64 %size, i64 %bytes, i32 %n) {
entry:
  br label %body

body:                                             ; preds = %latch, %entry
  %wide1 = phi i32 [ %first, %entry ], [ %4, %latch ]
  %0 = sext i32 %wide1 to i64
  %1 = sext i32 %wide1 to i64
  %2 = shl nsw i64 %1, 2
  %inside = icmp ult i64 %2, %bytes
  br i1 %inside, label %access, label %latch

access:                                           ; preds = %body
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %0
  store float 0.000000e+00, ptr addrspace(1) %address, align 4
  br label %latch

latch:                                            ; preds = %access, %body
  %3 = trunc i64 %size to i32
  %4 = add i32 %wide1, %3
  %more = icmp slt i32 %4, %n
  br i1 %more, label %body, label %done

done:                                             ; preds = %latch
  ret void
}
