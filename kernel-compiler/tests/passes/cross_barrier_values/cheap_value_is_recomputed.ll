; A few operations on arguments and work-item ids are recomputed after the barrier (rematerialised), not kept in memory.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %twice = shl i64 %id, 1
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %twice
  store i32 1, ptr addrspace(1) %place
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %place
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %place = getelementptr i32, ptr addrspace(1) %p, i64 %twice
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %twice = shl i64 %id, 1
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %twice
  store i32 1, ptr addrspace(1) %place, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = call i64 @__mocl3_local_id(i32 0)
  %1 = shl i64 %0, 1
  %2 = getelementptr i32, ptr addrspace(1) %p, i64 %1
  store i32 2, ptr addrspace(1) %2, align 4
  ret void
}
