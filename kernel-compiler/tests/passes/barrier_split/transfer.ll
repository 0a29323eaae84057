; A DMA transfer is isolated between two barrier blocks.
declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

define spir_kernel void @k(ptr %to, ptr %from) {
entry:
  store i32 1, ptr %to
  call void @__mocl3_dma_transfer(ptr %to, i64 4, ptr %from, i64 4, i64 4, i64 1)
  store i32 2, ptr %to
  ret void
}

; ==== after ====
; splits: 2

declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

define spir_kernel void @k(ptr %to, ptr %from) {
entry:
  store i32 1, ptr %to, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after1

after1:                                           ; preds = %barrier
  call void @__mocl3_dma_transfer(ptr %to, i64 4, ptr %from, i64 4, i64 4, i64 1)
  br label %barrier2

barrier2:                                         ; preds = %after1
  br label %after

after:                                            ; preds = %barrier2
  store i32 2, ptr %to, align 4
  ret void
}
