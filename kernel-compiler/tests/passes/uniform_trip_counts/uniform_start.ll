; Nothing changes: all work-items start and end alike. The branch is not uniform because some of them do not run the loop.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %item = trunc i64 %id to i32
  %guard = icmp slt i32 %item, %n
  br i1 %guard, label %before, label %done
before:
  br label %loop
loop:
  %j = phi i32 [ 1, %before ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %j
  store i32 %j, ptr addrspace(1) %place
  %next = add nuw nsw i32 %j, 1
  %is_last = icmp eq i32 %next, %m
  br i1 %is_last, label %after, label %loop
after:
  br label %done
done:
  ret void
}

; ==== after ====
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %item = trunc i64 %id to i32
  %guard = icmp slt i32 %item, %n
  br i1 %guard, label %before, label %done

before:                                           ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop, %before
  %j = phi i32 [ 1, %before ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %j
  store i32 %j, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %j, 1
  %is_last = icmp eq i32 %next, %m
  br i1 %is_last, label %after, label %loop

after:                                            ; preds = %loop
  br label %done

done:                                             ; preds = %after, %entry
  ret void
}
