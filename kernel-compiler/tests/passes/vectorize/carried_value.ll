; A loop that carries a value from one iteration to the next is rejected.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %before = phi i32 [ 1, %entry ], [ %product, %item ]
  %product = mul i32 %before, 3
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  store i32 %product, ptr addrspace(1) %a, align 4
  ret void
}

!0 = !{}

; ==== after ====
; rejected: a work-item uses a value of the one before
