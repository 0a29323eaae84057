; What a loop does with the program's data is left out, with the calls that have effects: its trip count
; depends on an argument. So do the counters, which are the same in all groups.
@format = private constant [2 x i8] c"x\00"

declare i32 @printf(ptr)

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %n = load i32, ptr %place, align 4
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %element = getelementptr float, ptr addrspace(1) %data, i32 %i
  %x = load float, ptr addrspace(1) %element, align 4
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %element, align 4
  %printed = call i32 @printf(ptr @format)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: true

@format = private constant [2 x i8] c"x\00"

declare i32 @printf(ptr)

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %n = load i32, ptr %place, align 4
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}
