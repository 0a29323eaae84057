; A sum that a loop around barriers carries: the sum before an iteration and the one after it share a
; slot, which is updated in place.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p, ptr addrspace(3) %tile) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %tile.at = getelementptr float, ptr addrspace(3) %tile, i64 %id
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %fold ]
  %sum = phi float [ 0.0, %entry ], [ %added, %fold ]
  store float 1.0, ptr addrspace(3) %tile.at
  call void @__mocl3_barrier()
  %other = load float, ptr addrspace(3) %tile
  %added = fadd float %sum, %other
  call void @__mocl3_barrier()
  br label %fold

fold:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  store float %added, ptr addrspace(1) %p.at
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
;   recomputed  %tile.at = getelementptr float, ptr addrspace(3) %tile, i64 %id
;   per group   %across.i = i32, 4 bytes, for %i = phi i32 [ 0, %entry ], [ %next, %fold ]
;   per item    %across.sum = float, 4 bytes
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p, ptr addrspace(3) %tile) {
entry:
  %across.sum = alloca float, align 4
  %across.i = alloca i32, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %p.at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %tile.at = getelementptr float, ptr addrspace(3) %tile, i64 %id
  store float 0.000000e+00, ptr %across.sum, align 4
  br label %loop

loop:                                             ; preds = %fold, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %fold ]
  store i32 %i, ptr %across.i, align 4
  %0 = call i64 @__mocl3_local_id(i32 0)
  %1 = getelementptr float, ptr addrspace(3) %tile, i64 %0
  store float 1.000000e+00, ptr addrspace(3) %1, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after1

after1:                                           ; preds = %barrier
  %other = load float, ptr addrspace(3) %tile, align 4
  %2 = load float, ptr %across.sum, align 4
  %added = fadd float %2, %other
  store float %added, ptr %across.sum, align 4
  br label %barrier2

barrier2:                                         ; preds = %after1
  br label %after

after:                                            ; preds = %barrier2
  br label %fold

fold:                                             ; preds = %after
  %3 = load i32, ptr %across.i, align 4
  %next = add i32 %3, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %fold
  %4 = call i64 @__mocl3_local_id(i32 0)
  %5 = getelementptr float, ptr addrspace(1) %p, i64 %4
  %6 = load float, ptr %across.sum, align 4
  store float %6, ptr addrspace(1) %5, align 4
  ret void
}
