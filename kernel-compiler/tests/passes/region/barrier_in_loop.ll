; Region 1 is the code from one barrier to the next, around the back edge; it may leave the loop. The loop itself is in no region.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  call void @__mocl3_barrier()
  br label %rest
rest:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %loop
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %rest
;   blocks     %loop %rest %done
;   then       region 1 at %barrier
;   then       return
; no region has a loop within it
