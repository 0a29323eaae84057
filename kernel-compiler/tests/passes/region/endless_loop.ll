; A region with an endless loop has no exits.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  call void @__mocl3_barrier()
  br label %loop
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %loop
;   blocks     %loop
;   then       nothing: it never ends
; some region has a loop within it
