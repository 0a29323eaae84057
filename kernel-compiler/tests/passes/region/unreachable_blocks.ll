; An unreachable block is in no region, and a barrier in it begins none.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  ret void
dead:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       return
; no region has a loop within it
