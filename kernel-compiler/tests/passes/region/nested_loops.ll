; A barrier in the inner of two loops: control reaches it again through the inner or the outer loop, or returns. All of this is one region.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  call void @__mocl3_barrier()
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, %n
  br i1 %j.more, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %outer %inner
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %after
;   blocks     %outer %inner %after %outer.latch %done
;   then       region 1 at %barrier
;   then       return
; no region has a loop within it
