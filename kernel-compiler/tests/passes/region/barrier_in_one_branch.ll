; A barrier in one branch: the first region may end at it or at the return. The code after the join is in both regions.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %with, label %meet
with:
  call void @__mocl3_barrier()
  br label %meet
meet:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %with %meet
;   then       region 1 at %barrier
;   then       return
; region 1, for each work-item
;   starts at  %meet
;   blocks     %meet
;   then       return
; no region has a loop within it
