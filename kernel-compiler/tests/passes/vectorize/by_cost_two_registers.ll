; Values that take two vector registers keep two operations in flight.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %item ]
  %at.0 = getelementptr float, ptr addrspace(1) %from, i64 0
  %in.0 = getelementptr float, ptr addrspace(1) %at.0, i64 %x
  %v.0 = load float, ptr addrspace(1) %in.0, align 4
  %at.1 = getelementptr float, ptr addrspace(1) %from, i64 64
  %in.1 = getelementptr float, ptr addrspace(1) %at.1, i64 %x
  %v.1 = load float, ptr addrspace(1) %in.1, align 4
  %at.2 = getelementptr float, ptr addrspace(1) %from, i64 128
  %in.2 = getelementptr float, ptr addrspace(1) %at.2, i64 %x
  %v.2 = load float, ptr addrspace(1) %in.2, align 4
  %at.3 = getelementptr float, ptr addrspace(1) %from, i64 192
  %in.3 = getelementptr float, ptr addrspace(1) %at.3, i64 %x
  %v.3 = load float, ptr addrspace(1) %in.3, align 4
  %at.4 = getelementptr float, ptr addrspace(1) %from, i64 256
  %in.4 = getelementptr float, ptr addrspace(1) %at.4, i64 %x
  %v.4 = load float, ptr addrspace(1) %in.4, align 4
  %at.5 = getelementptr float, ptr addrspace(1) %from, i64 320
  %in.5 = getelementptr float, ptr addrspace(1) %at.5, i64 %x
  %v.5 = load float, ptr addrspace(1) %in.5, align 4
  %at.6 = getelementptr float, ptr addrspace(1) %from, i64 384
  %in.6 = getelementptr float, ptr addrspace(1) %at.6, i64 %x
  %v.6 = load float, ptr addrspace(1) %in.6, align 4
  %at.7 = getelementptr float, ptr addrspace(1) %from, i64 448
  %in.7 = getelementptr float, ptr addrspace(1) %at.7, i64 %x
  %v.7 = load float, ptr addrspace(1) %in.7, align 4
  %s.6 = fadd float %v.7, %v.6
  %s.5 = fadd float %s.6, %v.5
  %s.4 = fadd float %s.5, %v.4
  %s.3 = fadd float %s.4, %v.3
  %s.2 = fadd float %s.3, %v.2
  %s.1 = fadd float %s.2, %v.1
  %s.0 = fadd float %s.1, %v.0
  %to.at = getelementptr float, ptr addrspace(1) %to, i64 %x
  store float %s.0, ptr addrspace(1) %to.at, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 32, 93 cycles a row as vector code, 1760 as scalar code
