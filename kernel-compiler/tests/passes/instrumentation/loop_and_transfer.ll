; Executions of blocks are counted, active lanes are summed, and the recorder of a transfer receives the
; group's counters up to then.
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)
declare void @__mocl3_active_lanes.4(<4 x i1>)
declare void @__mocl3_at_barrier()

define void @k(ptr %arguments, ptr %context) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %lanes = load <4 x i1>, ptr %arguments, align 1
  %some = icmp ult i32 %i, 7
  br i1 %some, label %masked, label %end

masked:
  call void @__mocl3_active_lanes.4(<4 x i1> %lanes)
  br label %end

end:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %after

after:
  call void @__mocl3_at_barrier()
  %event = call ptr @__mocl3_dma_transfer(ptr %arguments, i64 4, ptr %arguments, i64 4, i64 4, i64 1, ptr null)
  store ptr %event, ptr %arguments, align 8
  ret void
}

; ==== after ====
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

declare void @__mocl3_active_lanes.4(<4 x i1>)

declare void @__mocl3_at_barrier()

define void @k(ptr %arguments, ptr %context) {
entry:
  %0 = getelementptr inbounds i8, ptr %context, i64 144
  %1 = load ptr, ptr %0, align 8
  %2 = getelementptr inbounds i8, ptr %context, i64 152
  %3 = load ptr, ptr %2, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %counter1 = alloca i64, align 8
  store i64 0, ptr %counter1, align 8
  %counter2 = alloca i64, align 8
  store i64 0, ptr %counter2, align 8
  %counter3 = alloca i64, align 8
  store i64 0, ptr %counter3, align 8
  %counter4 = alloca i64, align 8
  store i64 0, ptr %counter4, align 8
  %counter5 = alloca i64, align 8
  store i64 0, ptr %counter5, align 8
  %4 = load i64, ptr %counter, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %counter, align 8
  br label %loop

loop:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %6 = load i64, ptr %counter1, align 8
  %7 = add i64 %6, 1
  store i64 %7, ptr %counter1, align 8
  %lanes = load <4 x i1>, ptr %arguments, align 1
  %some = icmp ult i32 %i, 7
  br i1 %some, label %masked, label %end

masked:                                           ; preds = %loop
  %8 = load i64, ptr %counter2, align 8
  %9 = add i64 %8, 1
  store i64 %9, ptr %counter2, align 8
  %10 = bitcast <4 x i1> %lanes to i4
  %11 = zext i4 %10 to i64
  %12 = call i64 @llvm.ctpop.i64(i64 %11)
  %13 = load i64, ptr %counter5, align 8
  %14 = add i64 %13, %12
  store i64 %14, ptr %counter5, align 8
  br label %end

end:                                              ; preds = %masked, %loop
  %15 = load i64, ptr %counter3, align 8
  %16 = add i64 %15, 1
  store i64 %16, ptr %counter3, align 8
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %after

after:                                            ; preds = %end
  %17 = load i64, ptr %counter4, align 8
  %18 = add i64 %17, 1
  store i64 %18, ptr %counter4, align 8
  %19 = load i64, ptr %counter, align 8
  %20 = getelementptr inbounds i8, ptr %1, i64 0
  store i64 %19, ptr %20, align 8
  %21 = load i64, ptr %counter1, align 8
  %22 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %21, ptr %22, align 8
  %23 = load i64, ptr %counter2, align 8
  %24 = getelementptr inbounds i8, ptr %1, i64 16
  store i64 %23, ptr %24, align 8
  %25 = load i64, ptr %counter3, align 8
  %26 = getelementptr inbounds i8, ptr %1, i64 24
  store i64 %25, ptr %26, align 8
  %27 = load i64, ptr %counter4, align 8
  %28 = getelementptr inbounds i8, ptr %1, i64 32
  store i64 %27, ptr %28, align 8
  %29 = load i64, ptr %counter5, align 8
  %30 = getelementptr inbounds i8, ptr %1, i64 40
  store i64 %29, ptr %30, align 8
  %31 = call ptr @__mocl3_timed_transfer(ptr %3, i32 0, ptr %arguments, i64 4, ptr %arguments, i64 4, i64 4, i64 1, ptr null)
  store ptr %31, ptr %arguments, align 8
  %32 = load i64, ptr %counter, align 8
  %33 = getelementptr inbounds i8, ptr %1, i64 0
  store i64 %32, ptr %33, align 8
  %34 = load i64, ptr %counter1, align 8
  %35 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %34, ptr %35, align 8
  %36 = load i64, ptr %counter2, align 8
  %37 = getelementptr inbounds i8, ptr %1, i64 16
  store i64 %36, ptr %37, align 8
  %38 = load i64, ptr %counter3, align 8
  %39 = getelementptr inbounds i8, ptr %1, i64 24
  store i64 %38, ptr %39, align 8
  %40 = load i64, ptr %counter4, align 8
  %41 = getelementptr inbounds i8, ptr %1, i64 32
  store i64 %40, ptr %41, align 8
  %42 = load i64, ptr %counter5, align 8
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  store i64 %42, ptr %43, align 8
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #0

declare ptr @__mocl3_timed_transfer(ptr, i32, ptr, i64, ptr, i64, i64, i64, ptr)

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
