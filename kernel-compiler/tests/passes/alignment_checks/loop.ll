; The pointer is tested once before the loop, which makes the access in any case.
define i32 @k(ptr %values, i64 %count) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %address = getelementptr inbounds i32, ptr %values, i64 %i
  %value = load i32, ptr %address, align 4
  %sum.next = add i32 %sum, %value
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %sum.next
}

; ==== after ====
define i32 @k(ptr %values, i64 %count) {
entry:
  %0 = ptrtoint ptr %values to i64
  %1 = and i64 %0, 3
  %2 = icmp ne i64 %1, 0
  br i1 %2, label %3, label %4, !prof !0

3:                                                ; preds = %entry
  call void @__ht_misaligned(ptr %values) #1
  unreachable

4:                                                ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop, %4
  %i = phi i64 [ 0, %4 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %4 ], [ %sum.next, %loop ]
  %address = getelementptr inbounds i32, ptr %values, i64 %i
  %value = load i32, ptr %address, align 4
  %sum.next = add i32 %sum, %value
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret i32 %sum.next
}

; Function Attrs: cold noreturn
declare void @__ht_misaligned(ptr) #0

attributes #0 = { cold noreturn }
attributes #1 = { noreturn }

!0 = !{!"branch_weights", i32 1, i32 1048575}
