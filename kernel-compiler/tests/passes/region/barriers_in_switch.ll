; A switch with barriers in two of its cases: the first region has three exits.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %c, ptr addrspace(1) %p) {
entry:
  switch i32 %c, label %meet [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  br label %meet
one:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  br label %meet
meet:
  store i32 3, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %zero %one %meet
;   then       region 1 at %barrier
;   then       region 2 at %barrier2
;   then       return
; region 1, for each work-item
;   starts at  %after
;   blocks     %after %meet
;   then       return
; region 2, for each work-item
;   starts at  %after1
;   blocks     %after1 %meet
;   then       return
; no region has a loop within it
