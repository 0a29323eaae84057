; Few values, and no loop whose iterations all lanes run: four registers for each value (of doubles) save iterations.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %item ]
  %in = getelementptr double, ptr addrspace(1) %from, i64 %x
  %v = load double, ptr addrspace(1) %in, align 8
  %w = fmul double %v, 3.000000e+00
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
; lanes: 32, 38 cycles a row as vector code, 448 as scalar code
