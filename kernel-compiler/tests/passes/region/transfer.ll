; A DMA transfer is a region that is executed once for the group.
declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

define spir_kernel void @k(ptr %p) {
entry:
  store i32 1, ptr %p
  call void @__mocl3_dma_transfer(ptr %p, i64 4, ptr %p, i64 4, i64 4, i64 1)
  store i32 2, ptr %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %barrier
; region 1, once for the group
;   starts at  %after1
;   blocks     %after1
;   then       region 2 at %barrier2
; region 2, for each work-item
;   starts at  %after
;   blocks     %after
;   then       return
; no region has a loop within it
