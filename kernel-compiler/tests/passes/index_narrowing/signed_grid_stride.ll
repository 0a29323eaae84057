; The same over `int`: the extension by shifts becomes `sext`.
define void @k(ptr addrspace(1) %x, i32 %first, i64 %size, i32 %n) {
entry:
  %start = zext nneg i32 %first to i64
  br label %body

body:
  %wide = phi i64 [ %start, %entry ], [ %next, %body ]
  %upper = shl i64 %wide, 32
  %index = ashr exact i64 %upper, 32
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  store float 0.0, ptr addrspace(1) %address, align 4
  %next = add i64 %index, %size
  %counter = trunc i64 %next to i32
  %more = icmp slt i32 %counter, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, i32 %first, i64 %size, i32 %n) {
entry:
  br label %body

body:                                             ; preds = %body, %entry
  %wide1 = phi i32 [ %first, %entry ], [ %2, %body ]
  %0 = sext i32 %wide1 to i64
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %0
  store float 0.000000e+00, ptr addrspace(1) %address, align 4
  %1 = trunc i64 %size to i32
  %2 = add i32 %wide1, %1
  %more = icmp slt i32 %2, %n
  br i1 %more, label %body, label %done

done:                                             ; preds = %body
  ret void
}
