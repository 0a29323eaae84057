; An access that the loop may leave out is tested where it is made.
define void @k(ptr %values, ptr %wanted, i64 %count) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %between ]
  %flag.address = getelementptr inbounds i8, ptr %wanted, i64 %i
  %flag = load i8, ptr %flag.address, align 1
  %is_wanted = icmp ne i8 %flag, 0
  br i1 %is_wanted, label %wanted.block, label %between

wanted.block:
  %address = getelementptr inbounds i16, ptr %values, i64 %i
  store i16 0, ptr %address, align 2
  br label %between

between:
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; ==== after ====
define void @k(ptr %values, ptr %wanted, i64 %count) {
entry:
  br label %loop

loop:                                             ; preds = %between, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %between ]
  %flag.address = getelementptr inbounds i8, ptr %wanted, i64 %i
  %flag = load i8, ptr %flag.address, align 1
  %is_wanted = icmp ne i8 %flag, 0
  br i1 %is_wanted, label %wanted.block, label %between

wanted.block:                                     ; preds = %loop
  %address = getelementptr inbounds i16, ptr %values, i64 %i
  %0 = ptrtoint ptr %values to i64
  %1 = and i64 %0, 1
  %2 = icmp ne i64 %1, 0
  br i1 %2, label %3, label %5, !prof !0

3:                                                ; preds = %wanted.block
  %4 = getelementptr inbounds i16, ptr %values, i64 %i
  call void @__ht_misaligned(ptr %4) #1
  unreachable

5:                                                ; preds = %wanted.block
  store i16 0, ptr %address, align 2
  br label %between

between:                                          ; preds = %5, %loop
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %between
  ret void
}

; Function Attrs: cold noreturn
declare void @__ht_misaligned(ptr) #0

attributes #0 = { cold noreturn }
attributes #1 = { noreturn }

!0 = !{!"branch_weights", i32 1, i32 1048575}
