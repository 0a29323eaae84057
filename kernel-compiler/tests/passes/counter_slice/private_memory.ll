; group slot: 8
; The number of iterations is in a variable of the group, across a barrier; the sums of work-items, which
; depend on data, are elsewhere in private memory and are left out. Field 136 is private memory, 144 the
; counters.
define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %place = getelementptr i8, ptr %context, i64 136
  %private = load ptr, ptr %place, align 8
  %sums = getelementptr i8, ptr %private, i64 128
  %data = load ptr addrspace(1), ptr %arguments, align 8
  store i64 0, ptr %private, align 8
  br label %loop

loop:
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %i = load i64, ptr %private, align 8
  %sum = getelementptr float, ptr %sums, i64 %i
  %x = load float, ptr addrspace(1) %data, align 4
  %old = load float, ptr %sum, align 4
  %new = fadd float %x, %old
  store float %new, ptr %sum, align 4
  %next = add i64 %i, 1
  store i64 %next, ptr %private, align 8
  %more = icmp ult i64 %next, 9
  br i1 %more, label %loop, label %end

end:
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: true

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %counter = alloca i64, align 8
  store i64 0, ptr %counter, align 8
  %place = getelementptr i8, ptr %context, i64 136
  %private = load ptr, ptr %place, align 8
  store i64 0, ptr %private, align 8
  br label %loop

loop:                                             ; preds = %loop, %entry
  %before = load i64, ptr %counter, align 8
  %after = add i64 %before, 1
  store i64 %after, ptr %counter, align 8
  %i = load i64, ptr %private, align 8
  %next = add i64 %i, 1
  store i64 %next, ptr %private, align 8
  %more = icmp ult i64 %next, 9
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  %times = load i64, ptr %counter, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}
