; A uniform loop in a divergent loop is not interchanged: its barriers would be in the outer loop too.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner.preheader
inner.preheader:
  br label %inner
inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner ]
  store float 1.0, ptr addrspace(1) %place
  %j.next = add i32 %j, 1
  %j.again = icmp slt i32 %j.next, %n
  br i1 %j.again, label %inner, label %inner.exit
inner.exit:
  br label %outer.latch
outer.latch:
  %i.next = add i64 %i, 1
  %i.again = icmp slt i64 %i.next, %id
  br i1 %i.again, label %outer, label %done
done:
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  br label %outer

outer:                                            ; preds = %outer.latch, %entry
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner.preheader

inner.preheader:                                  ; preds = %outer
  br label %inner

inner:                                            ; preds = %inner, %inner.preheader
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner ]
  store float 1.000000e+00, ptr addrspace(1) %place, align 4
  %j.next = add i32 %j, 1
  %j.again = icmp slt i32 %j.next, %n
  br i1 %j.again, label %inner, label %inner.exit

inner.exit:                                       ; preds = %inner
  br label %outer.latch

outer.latch:                                      ; preds = %inner.exit
  %i.next = add i64 %i, 1
  %i.again = icmp slt i64 %i.next, %id
  br i1 %i.again, label %outer, label %done

done:                                             ; preds = %outer.latch
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
