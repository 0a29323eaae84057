; What a branch's weights say is rare, as builtin functions do of special arguments, counts neither as cost nor in the
; registers that are needed.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %next ]
  %in = getelementptr float, ptr addrspace(1) %from, i64 %x
  %v = load float, ptr addrspace(1) %in, align 4
  %special = fcmp uno float %v, 0.000000e+00
  br i1 %special, label %rare, label %next, !prof !1

rare:
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
  %at.8 = getelementptr float, ptr addrspace(1) %from, i64 512
  %in.8 = getelementptr float, ptr addrspace(1) %at.8, i64 %x
  %v.8 = load float, ptr addrspace(1) %in.8, align 4
  %at.9 = getelementptr float, ptr addrspace(1) %from, i64 576
  %in.9 = getelementptr float, ptr addrspace(1) %at.9, i64 %x
  %v.9 = load float, ptr addrspace(1) %in.9, align 4
  %at.10 = getelementptr float, ptr addrspace(1) %from, i64 640
  %in.10 = getelementptr float, ptr addrspace(1) %at.10, i64 %x
  %v.10 = load float, ptr addrspace(1) %in.10, align 4
  %at.11 = getelementptr float, ptr addrspace(1) %from, i64 704
  %in.11 = getelementptr float, ptr addrspace(1) %at.11, i64 %x
  %v.11 = load float, ptr addrspace(1) %in.11, align 4
  %at.12 = getelementptr float, ptr addrspace(1) %from, i64 768
  %in.12 = getelementptr float, ptr addrspace(1) %at.12, i64 %x
  %v.12 = load float, ptr addrspace(1) %in.12, align 4
  %at.13 = getelementptr float, ptr addrspace(1) %from, i64 832
  %in.13 = getelementptr float, ptr addrspace(1) %at.13, i64 %x
  %v.13 = load float, ptr addrspace(1) %in.13, align 4
  %at.14 = getelementptr float, ptr addrspace(1) %from, i64 896
  %in.14 = getelementptr float, ptr addrspace(1) %at.14, i64 %x
  %v.14 = load float, ptr addrspace(1) %in.14, align 4
  %at.15 = getelementptr float, ptr addrspace(1) %from, i64 960
  %in.15 = getelementptr float, ptr addrspace(1) %at.15, i64 %x
  %v.15 = load float, ptr addrspace(1) %in.15, align 4
  %s.14 = fadd float %v.15, %v.14
  %s.13 = fadd float %s.14, %v.13
  %s.12 = fadd float %s.13, %v.12
  %s.11 = fadd float %s.12, %v.11
  %s.10 = fadd float %s.11, %v.10
  %s.9 = fadd float %s.10, %v.9
  %s.8 = fadd float %s.9, %v.8
  %s.7 = fadd float %s.8, %v.7
  %s.6 = fadd float %s.7, %v.6
  %s.5 = fadd float %s.6, %v.5
  %s.4 = fadd float %s.5, %v.4
  %s.3 = fadd float %s.4, %v.3
  %s.2 = fadd float %s.3, %v.2
  %s.1 = fadd float %s.2, %v.1
  %s.0 = fadd float %s.1, %v.0
  br label %next

next:
  %value = phi float [ %v, %item ], [ %s.0, %rare ]
  %out = getelementptr float, ptr addrspace(1) %to, i64 %x
  store float %value, ptr addrspace(1) %out, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}
!1 = !{!"branch_weights", !"expected", i32 1, i32 2000}

; ==== after ====
; loops: 1
; lanes: 32, 34 cycles a row as vector code, 512 as scalar code
