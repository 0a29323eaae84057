; separate objects
; Counters may depend on what an argument points to, if that is no object that the kernel writes: the
; loop's bound is read from one argument, and results are written to another one.
define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %sizes = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %results = load ptr addrspace(1), ptr %place, align 8
  %n = load i64, ptr addrspace(1) %sizes, align 8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %result = getelementptr float, ptr addrspace(1) %results, i64 %i
  store float 1.0, ptr addrspace(1) %result, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: None, buffers: true, profitable: false

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %sizes = load ptr addrspace(1), ptr %arguments, align 8
  %n = load i64, ptr addrspace(1) %sizes, align 8
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}
