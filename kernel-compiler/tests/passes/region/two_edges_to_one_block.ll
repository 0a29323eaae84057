; Two edges from one block to the next are not a loop; the loop contains the barrier.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br i1 %d, label %loop, label %loop
loop:
  call void @__mocl3_barrier()
  br i1 %c, label %loop, label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %loop
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %after
;   blocks     %loop %after %done
;   then       region 1 at %barrier
;   then       return
; no region has a loop within it
