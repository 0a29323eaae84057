; A loop with two exiting blocks, one of them before its barrier.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, i1 %d, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  br i1 %c, label %first.exit, label %body
body:
  call void @__mocl3_barrier()
  br i1 %d, label %loop, label %second.exit
first.exit:
  store i32 1, ptr addrspace(1) %p
  ret void
second.exit:
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %loop %body %first.exit
;   then       region 1 at %barrier
;   then       return
; region 1, for each work-item
;   starts at  %after
;   blocks     %loop %body %after %first.exit %second.exit
;   then       region 1 at %barrier
;   then       return
; no region has a loop within it
