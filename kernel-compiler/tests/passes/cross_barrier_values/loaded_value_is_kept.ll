; A loaded value is kept for each work-item: memory may have changed after the barrier.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %old = load i32, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.old = i32, 4 bytes, for %old = load i32, ptr addrspace(1) %p, align 4
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.old = alloca i32, align 4
  %old = load i32, ptr addrspace(1) %p, align 4
  store i32 %old, ptr %across.old, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i32, ptr %across.old, align 4
  store i32 %0, ptr addrspace(1) %p, align 4
  ret void
}
