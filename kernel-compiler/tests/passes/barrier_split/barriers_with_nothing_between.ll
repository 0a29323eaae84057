; Adjacent barriers become separate blocks; region formation skips the empty code between them.
declare void @__mocl3_barrier()

define spir_kernel void @k() {
entry:
  call void @__mocl3_barrier()
  call void @__mocl3_barrier()
  ret void
}

; ==== after ====
; splits: 2

declare void @__mocl3_barrier()

define spir_kernel void @k() {
entry:
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after1

after1:                                           ; preds = %barrier
  br label %barrier2

barrier2:                                         ; preds = %after1
  br label %after

after:                                            ; preds = %barrier2
  ret void
}
