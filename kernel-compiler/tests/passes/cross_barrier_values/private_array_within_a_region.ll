; A private array used between two barriers only stays on the stack, which work-items use one after another.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %array = alloca [9 x i32]
  call void @__mocl3_barrier()
  %place = getelementptr i32, ptr %array, i32 %i
  store i32 1, ptr %place
  %v = load i32, ptr %array
  store i32 %v, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  ret void
}

; ==== after ====
; what lives across barriers
;   nothing
;
; private memory within regions
;   stack       %array = alloca [9 x i32], align 4, 36 bytes

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %array = alloca [9 x i32], align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after1

after1:                                           ; preds = %barrier
  %place = getelementptr i32, ptr %array, i32 %i
  store i32 1, ptr %place, align 4
  %v = load i32, ptr %array, align 4
  store i32 %v, ptr addrspace(1) %p, align 4
  br label %barrier2

barrier2:                                         ; preds = %after1
  br label %after

after:                                            ; preds = %barrier2
  ret void
}
