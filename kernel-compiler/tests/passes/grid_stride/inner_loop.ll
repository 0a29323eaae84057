; local size: 64,1,1
; Long bodies stay as they are: they spend little of their time on cache misses.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, i64 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %preheader, label %done

preheader:
  br label %loop

loop:
  %i = phi i64 [ %id, %preheader ], [ %next, %latch ]
  %address = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %i
  store i32 0, ptr addrspace(1) %address, align 4
  br label %inner

inner:
  %j = phi i64 [ 0, %loop ], [ %j_next, %inner ]
  %j_next = add i64 %j, 1
  %again = icmp ult i64 %j_next, %i
  br i1 %again, label %inner, label %latch

latch:
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  br label %done

done:
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, i64 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %preheader, label %done

preheader:                                        ; preds = %entry
  br label %loop

loop:                                             ; preds = %latch, %preheader
  %i = phi i64 [ %id, %preheader ], [ %next, %latch ]
  %address = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %i
  store i32 0, ptr addrspace(1) %address, align 4
  br label %inner

inner:                                            ; preds = %inner, %loop
  %j = phi i64 [ 0, %loop ], [ %j_next, %inner ]
  %j_next = add i64 %j, 1
  %again = icmp ult i64 %j_next, %i
  br i1 %again, label %inner, label %latch

latch:                                            ; preds = %inner
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:                                             ; preds = %latch
  br label %done

done:                                             ; preds = %exit, %entry
  ret void
}
