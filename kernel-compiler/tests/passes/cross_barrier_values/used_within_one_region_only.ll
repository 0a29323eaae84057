; A value used before the barrier only needs no storage, even if the use is in another block.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  %old = load i32, ptr addrspace(1) %p
  br i1 %c, label %yes, label %meet
yes:
  store i32 %old, ptr addrspace(1) %p
  br label %meet
meet:
  call void @__mocl3_barrier()
  ret void
}

; ==== after ====
; what lives across barriers
;   nothing
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  %old = load i32, ptr addrspace(1) %p, align 4
  br i1 %c, label %yes, label %meet

yes:                                              ; preds = %entry
  store i32 %old, ptr addrspace(1) %p, align 4
  br label %meet

meet:                                             ; preds = %yes, %entry
  br label %barrier

barrier:                                          ; preds = %meet
  br label %after

after:                                            ; preds = %barrier
  ret void
}
