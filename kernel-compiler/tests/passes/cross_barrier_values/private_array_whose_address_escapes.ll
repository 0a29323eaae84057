; An array whose address is stored may be used in any region.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [9 x i32]
  store ptr %array, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %array = alloca [9 x i32], align 4, 36 bytes
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [9 x i32], align 4
  store ptr %array, ptr addrspace(1) %p, align 8
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}
