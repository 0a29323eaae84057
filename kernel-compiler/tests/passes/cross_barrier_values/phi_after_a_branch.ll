; A φ that uses a value from before the barrier gets it by a load in the incoming block.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  %old = load i32, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  br i1 %c, label %yes, label %meet
yes:
  br label %meet
meet:
  %v = phi i32 [ %old, %yes ], [ 0, %entry ]
  store i32 %v, ptr addrspace(1) %p
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

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  %across.old = alloca i32, align 4
  %old = load i32, ptr addrspace(1) %p, align 4
  store i32 %old, ptr %across.old, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  br i1 %c, label %yes, label %meet

yes:                                              ; preds = %after
  %0 = load i32, ptr %across.old, align 4
  br label %meet

meet:                                             ; preds = %yes, %after
  %v = phi i32 [ %0, %yes ], [ 0, %after ]
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}
