; local size: 64,1,1
; A step that differs between work-items: the loop stays as it is.
declare i64 @__mocl3_global_id(i32)

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
  br label %latch

latch:
  %by = getelementptr inbounds i64, ptr addrspace(1) %x, i64 %id
  %size = load i64, ptr addrspace(1) %by, align 8
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
  br label %latch

latch:                                            ; preds = %loop
  %by = getelementptr inbounds i64, ptr addrspace(1) %x, i64 %id
  %size = load i64, ptr addrspace(1) %by, align 8
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:                                             ; preds = %latch
  br label %done

done:                                             ; preds = %exit, %entry
  ret void
}
