; Each addition to the sum waits for the one before: in vectors of four registers (of doubles) more of them do not.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %n) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %next ]
  br label %step

step:
  %i = phi i64 [ 0, %item ], [ %i.next, %step ]
  %sum = phi double [ 0.000000e+00, %item ], [ %w, %step ]
  %row = getelementptr double, ptr addrspace(1) %from, i64 %i
  %in = getelementptr double, ptr addrspace(1) %row, i64 %x
  %v = load double, ptr addrspace(1) %in, align 8
  %w = fadd double %sum, %v
  %i.next = add nuw nsw i64 %i, 64
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %step, label %next

next:
  %out = getelementptr double, ptr addrspace(1) %to, i64 %x
  store double %w, ptr addrspace(1) %out, align 8
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 32, 535 cycles a row as vector code, 8544 as scalar code
