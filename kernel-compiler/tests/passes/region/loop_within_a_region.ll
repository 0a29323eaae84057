; A loop without barriers after a barrier is within a region: the loops over the work-items are not innermost.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  call void @__mocl3_barrier()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %after
;   blocks     %after %loop %done
;   then       return
; some region has a loop within it
