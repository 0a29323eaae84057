; Twelve additions of an iteration wait for each other: vectors of four registers (of doubles) gain although the nine values
; that each lane carries need 36 of 32 registers.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %n) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %next ]
  br label %step

step:
  %i = phi i64 [ 0, %item ], [ %i.next, %step ]
  %c0 = phi double [ 0.000000e+00, %item ], [ %c12, %step ]
  %s0 = phi double [ 0.000000e+00, %item ], [ %t0, %step ]
  %s1 = phi double [ 0.000000e+00, %item ], [ %t1, %step ]
  %s2 = phi double [ 0.000000e+00, %item ], [ %t2, %step ]
  %s3 = phi double [ 0.000000e+00, %item ], [ %t3, %step ]
  %s4 = phi double [ 0.000000e+00, %item ], [ %t4, %step ]
  %s5 = phi double [ 0.000000e+00, %item ], [ %t5, %step ]
  %s6 = phi double [ 0.000000e+00, %item ], [ %t6, %step ]
  %s7 = phi double [ 0.000000e+00, %item ], [ %t7, %step ]
  %row = getelementptr double, ptr addrspace(1) %from, i64 %i
  %in = getelementptr double, ptr addrspace(1) %row, i64 %x
  %v = load double, ptr addrspace(1) %in, align 8
  %c1 = fadd double %c0, %v
  %c2 = fadd double %c1, %v
  %c3 = fadd double %c2, %v
  %c4 = fadd double %c3, %v
  %c5 = fadd double %c4, %v
  %c6 = fadd double %c5, %v
  %c7 = fadd double %c6, %v
  %c8 = fadd double %c7, %v
  %c9 = fadd double %c8, %v
  %c10 = fadd double %c9, %v
  %c11 = fadd double %c10, %v
  %c12 = fadd double %c11, %v
  %t0 = fadd double %s0, %v
  %t1 = fadd double %s1, %v
  %t2 = fadd double %s2, %v
  %t3 = fadd double %s3, %v
  %t4 = fadd double %s4, %v
  %t5 = fadd double %s5, %v
  %t6 = fadd double %s6, %v
  %t7 = fadd double %s7, %v
  %i.next = add nuw nsw i64 %i, 64
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %step, label %next

next:
  %sum1 = fadd double %c12, %t0
  %sum2 = fadd double %sum1, %t1
  %sum3 = fadd double %sum2, %t2
  %sum4 = fadd double %sum3, %t3
  %sum5 = fadd double %sum4, %t4
  %sum6 = fadd double %sum5, %t5
  %sum7 = fadd double %sum6, %t6
  %sum8 = fadd double %sum7, %t7
  %out = getelementptr double, ptr addrspace(1) %to, i64 %x
  store double %sum8, ptr addrspace(1) %out, align 8
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 32, 2327 cycles a row as vector code, 15712 as scalar code
