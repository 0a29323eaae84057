; Barriers in both branches end the same region; each begins its own.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %left, label %right
left:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  br label %meet
right:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  br label %meet
meet:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %left %right
;   then       region 1 at %barrier
;   then       region 2 at %barrier2
; region 1, for each work-item
;   starts at  %after
;   blocks     %after %meet
;   then       return
; region 2, for each work-item
;   starts at  %after1
;   blocks     %after1 %meet
;   then       return
; no region has a loop within it
