; A counter of which all bits are used stays as it is, as does the index of an address that may be out
; of bounds.
define void @k(ptr addrspace(1) %x, i64 %first, i64 %size, i64 %n, i32 %i) {
entry:
  br label %body

body:
  %wide = phi i64 [ %first, %entry ], [ %next, %body ]
  %index = and i64 %wide, 4294967295
  %address = getelementptr float, ptr addrspace(1) %x, i64 %index
  store float 0.0, ptr addrspace(1) %address, align 4
  %next = add i64 %wide, %size
  %more = icmp ult i64 %wide, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, i64 %first, i64 %size, i64 %n, i32 %i) {
entry:
  br label %body

body:                                             ; preds = %body, %entry
  %wide = phi i64 [ %first, %entry ], [ %next, %body ]
  %index = and i64 %wide, 4294967295
  %address = getelementptr float, ptr addrspace(1) %x, i64 %index
  store float 0.000000e+00, ptr addrspace(1) %address, align 4
  %next = add i64 %wide, %size
  %more = icmp ult i64 %wide, %n
  br i1 %more, label %body, label %done

done:                                             ; preds = %body
  ret void
}
