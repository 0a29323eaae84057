; The counter of a grid-stride loop over `uint`, as instcombine leaves it: 64 bits wide and masked at
; each use. It has 32 bits again, and the index is sign-extended: 2^31 floats fill any object.
define void @k(ptr addrspace(1) %x, i64 %first, i64 %size, i32 %n) {
entry:
  br label %body

body:
  %wide = phi i64 [ %first, %entry ], [ %next, %body ]
  %index = and i64 %wide, 4294967295
  %address = getelementptr inbounds nuw float, ptr addrspace(1) %x, i64 %index
  store float 0.0, ptr addrspace(1) %address, align 4
  %next = add i64 %index, %size
  %counter = trunc i64 %next to i32
  %more = icmp ult i32 %counter, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, i64 %first, i64 %size, i32 %n) {
entry:
  %0 = trunc i64 %first to i32
  br label %body

body:                                             ; preds = %body, %entry
  %wide1 = phi i32 [ %0, %entry ], [ %3, %body ]
  %1 = sext i32 %wide1 to i64
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %1
  store float 0.000000e+00, ptr addrspace(1) %address, align 4
  %2 = trunc i64 %size to i32
  %3 = add i32 %wide1, %2
  %more = icmp ult i32 %3, %n
  br i1 %more, label %body, label %done

done:                                             ; preds = %body
  ret void
}
