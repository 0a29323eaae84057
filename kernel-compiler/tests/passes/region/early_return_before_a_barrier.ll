; Work-items that return before a barrier, all of them or none: the first region may end at the return.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %early, label %go.on
early:
  ret void
go.on:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %early %go.on
;   then       region 1 at %barrier
;   then       return
; region 1, for each work-item
;   starts at  %after
;   blocks     %after
;   then       return
; no region has a loop within it
