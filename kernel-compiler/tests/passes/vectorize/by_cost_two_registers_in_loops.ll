; All lanes run each iteration of the loop, and the rows take the same branches: these are executed together instead of vectors of four registers.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %n) {
entry:
  br label %row

row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %row.end ]
  %row.to = getelementptr [64 x double], ptr addrspace(1) %to, i64 %y
  br label %item

item:
  %x = phi i64 [ 0, %row ], [ %x.next, %next ]
  br label %step

step:
  %i = phi i64 [ 0, %item ], [ %i.next, %step ]
  %sum = phi double [ 0.000000e+00, %item ], [ %w, %step ]
  %in.row = getelementptr double, ptr addrspace(1) %from, i64 %i
  %in = getelementptr double, ptr addrspace(1) %in.row, i64 %x
  %v = load double, ptr addrspace(1) %in, align 8
  %w = fadd double %sum, %v
  %i.next = add nuw nsw i64 %i, 64
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %step, label %next

next:
  %out = getelementptr double, ptr addrspace(1) %row.to, i64 %x
  store double %w, ptr addrspace(1) %out, align 8
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %row.end, !mocl3.work_items !0

row.end:
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 8
  br i1 %more.rows, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 16, 606 cycles a row as vector code, 8544 as scalar code
