; Two values that are exchanged in each iteration are live at the same time: they keep their slots.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %x = load float, ptr addrspace(1) %p.at
  %q.at = getelementptr float, ptr addrspace(1) %q, i64 %id
  %y = load float, ptr addrspace(1) %q.at
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %fold ]
  %a = phi float [ %x, %entry ], [ %b, %fold ]
  %b = phi float [ %y, %entry ], [ %a, %fold ]
  call void @__mocl3_barrier()
  br label %fold

fold:
  store float %a, ptr addrspace(1) %p.at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  store float %b, ptr addrspace(1) %q.at
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
;   recomputed  %q.at = getelementptr float, ptr addrspace(1) %q, i64 %id
;   per group   %across.i = i32, 4 bytes, for %i = phi i32 [ 0, %entry ], [ %next, %fold ]
;   per item    %across.a = float, 4 bytes, for %a = phi float [ %x, %entry ], [ %5, %fold ]
;   per item    %across.b = float, 4 bytes, for %b = phi float [ %y, %entry ], [ %4, %fold ]
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %across.b = alloca float, align 4
  %across.a = alloca float, align 4
  %across.i = alloca i32, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %x = load float, ptr addrspace(1) %p.at, align 4
  %q.at = getelementptr float, ptr addrspace(1) %q, i64 %id
  %y = load float, ptr addrspace(1) %q.at, align 4
  br label %loop

loop:                                             ; preds = %fold, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %fold ]
  %a = phi float [ %x, %entry ], [ %5, %fold ]
  %b = phi float [ %y, %entry ], [ %4, %fold ]
  store float %b, ptr %across.b, align 4
  store float %a, ptr %across.a, align 4
  store i32 %i, ptr %across.i, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after

after:                                            ; preds = %barrier
  br label %fold

fold:                                             ; preds = %after
  %0 = call i64 @__mocl3_local_id(i32 0)
  %1 = getelementptr float, ptr addrspace(1) %p, i64 %0
  %2 = load float, ptr %across.a, align 4
  store float %2, ptr addrspace(1) %1, align 4
  %3 = load i32, ptr %across.i, align 4
  %next = add i32 %3, 1
  %more = icmp ult i32 %next, %n
  %4 = load float, ptr %across.a, align 4
  %5 = load float, ptr %across.b, align 4
  br i1 %more, label %loop, label %done

done:                                             ; preds = %fold
  %6 = call i64 @__mocl3_local_id(i32 0)
  %7 = getelementptr float, ptr addrspace(1) %q, i64 %6
  %8 = load float, ptr %across.b, align 4
  store float %8, ptr addrspace(1) %7, align 4
  ret void
}
