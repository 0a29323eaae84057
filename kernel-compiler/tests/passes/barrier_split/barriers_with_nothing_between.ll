; Barriers that follow each other directly are cuts each; regions see that nothing is between.
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
  br label %cut

cut:                                              ; preds = %entry
  br label %after1

after1:                                           ; preds = %cut
  br label %cut2

cut2:                                             ; preds = %after1
  br label %after

after:                                            ; preds = %cut2
  ret void
}
