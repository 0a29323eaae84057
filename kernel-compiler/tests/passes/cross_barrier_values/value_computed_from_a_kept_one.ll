; A value computed from a kept one is kept as well if it is used after the barrier.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %old = load i32, ptr addrspace(1) %p
  %twice = shl i32 %old, 1
  call void @__mocl3_barrier()
  %sum = add i32 %old, %twice
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.old = i32, 4 bytes, for %old = load i32, ptr addrspace(1) %p, align 4
;   per item    %across.twice = i32, 4 bytes, for %twice = shl i32 %old, 1
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.twice = alloca i32, align 4
  %across.old = alloca i32, align 4
  %old = load i32, ptr addrspace(1) %p, align 4
  store i32 %old, ptr %across.old, align 4
  %twice = shl i32 %old, 1
  store i32 %twice, ptr %across.twice, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i32, ptr %across.old, align 4
  %1 = load i32, ptr %across.twice, align 4
  %sum = add i32 %0, %1
  store i32 %sum, ptr addrspace(1) %p, align 4
  ret void
}
