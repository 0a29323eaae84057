; A loop in a divergent branch is not interchanged.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %some = icmp eq i64 %id, 0
  br i1 %some, label %preheader, label %done
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %place
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %done
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
  %some = icmp eq i64 %id, 0
  br i1 %some, label %preheader, label %done

preheader:                                        ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop, %preheader
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %place, align 4
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:                                             ; preds = %loop
  br label %done

done:                                             ; preds = %exit, %entry
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
