; Barriers without code between them count as one.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %after
;   blocks     %after
;   then       return
; no region has a loop within it
