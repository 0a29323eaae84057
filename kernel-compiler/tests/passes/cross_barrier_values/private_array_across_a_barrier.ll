; A private array used before and after a barrier has storage for each work-item.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %array = alloca [9 x i32]
  %place = getelementptr i32, ptr %array, i32 %i
  store i32 1, ptr %place
  call void @__mocl3_barrier()
  %v = load i32, ptr %array
  store i32 %v, ptr addrspace(1) %p
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

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %array = alloca [9 x i32], align 4
  %place = getelementptr i32, ptr %array, i32 %i
  store i32 1, ptr %place, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %v = load i32, ptr %array, align 4
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}
