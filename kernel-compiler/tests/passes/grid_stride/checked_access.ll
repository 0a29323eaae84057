; local size: 64,1,1
; A checked access: reports of findings get the group's context, which is no private memory.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_argument_bytes(i32)
declare ptr @__mocl3_group_context()
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64)

define spir_kernel void @k(ptr addrspace(1) %x, i64 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %preheader, label %done

preheader:
  br label %loop

loop:
  %i = phi i64 [ %id, %preheader ], [ %next, %latch ]
  %bytes = call i64 @__mocl3_argument_bytes(i32 0)
  %place = shl nuw nsw i64 %i, 2
  %is_allowed = icmp ult i64 %place, %bytes
  br i1 %is_allowed, label %access, label %report

access:
  %address = getelementptr i32, ptr addrspace(1) %x, i64 %i
  store i32 0, ptr addrspace(1) %address, align 4
  br label %latch

report:
  %l = call i64 @__mocl3_local_id(i32 0)
  %context = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %place, i64 4, i64 0, i64 %l, i64 0, i64 0)
  br label %latch

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
; loops interchanged: 1
; per item: nothing
; shared: %base.i

declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_global_size(i32)

declare i64 @__mocl3_local_id(i32)

declare i64 @__mocl3_argument_bytes(i32)

declare ptr @__mocl3_group_context()

declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64)

define spir_kernel void @k(ptr addrspace(1) %x, i64 %n) {
entry:
  %base.i = alloca i64, align 8
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  %0 = call i64 @__mocl3_global_size(i32 0)
  %1 = call i64 @__mocl3_group_id(i32 0)
  %2 = call i64 @__mocl3_global_offset(i32 0)
  %3 = mul i64 %1, 64
  %4 = add i64 %3, %2
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i64 %4, ptr %base.i, align 8
  %5 = icmp ult i64 %4, %n
  %6 = sub i64 %n, %4
  %7 = icmp uge i64 %6, 64
  %8 = and i1 %5, %7
  br i1 %8, label %grid_stride.main, label %grid_stride.after_main

preheader:                                        ; preds = %grid_stride.remainder
  br label %loop

grid_stride.main:                                 ; preds = %latch3, %entry
  call void @__mocl3_barrier()
  %9 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %10 = call i64 @__mocl3_local_id(i32 0)
  %11 = add nuw i64 %9, %10
  %12 = call i64 @__mocl3_argument_bytes(i32 0)
  %13 = shl nuw nsw i64 %11, 2
  %14 = icmp ult i64 %13, %12
  br i1 %14, label %access1, label %report2

grid_stride.after_main:                           ; preds = %latch3, %entry
  %15 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %16 = icmp ult i64 %15, %n
  %17 = icmp ugt i64 %15, -64
  %18 = or i1 %16, %17
  br i1 %18, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %19 = call i64 @__mocl3_local_id(i32 0)
  %20 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %21 = add i64 %20, %19
  %22 = icmp ult i64 %21, %n
  br i1 %22, label %preheader, label %grid_stride.join

access1:                                          ; preds = %grid_stride.main
  %23 = getelementptr i32, ptr addrspace(1) %x, i64 %11
  store i32 0, ptr addrspace(1) %23, align 4
  br label %latch3

report2:                                          ; preds = %grid_stride.main
  %24 = call i64 @__mocl3_local_id(i32 0)
  %25 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %25, i64 0, i64 0, i64 %13, i64 4, i64 0, i64 %24, i64 0, i64 0)
  br label %latch3

latch3:                                           ; preds = %report2, %access1
  %26 = call i64 @__mocl3_global_size(i32 0)
  %27 = add i64 %11, %26
  %28 = icmp ult i64 %27, %n
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %29 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %30 = add i64 %29, %0
  store i64 %30, ptr %base.i, align 8
  %31 = icmp ult i64 %30, %n
  %32 = sub i64 %n, %30
  %33 = icmp uge i64 %32, 64
  %34 = and i1 %31, %33
  br i1 %34, label %grid_stride.main, label %grid_stride.after_main

loop:                                             ; preds = %latch, %preheader
  %i = phi i64 [ %21, %preheader ], [ %next, %latch ]
  %bytes = call i64 @__mocl3_argument_bytes(i32 0)
  %place = shl nuw nsw i64 %i, 2
  %is_allowed = icmp ult i64 %place, %bytes
  br i1 %is_allowed, label %access, label %report

access:                                           ; preds = %loop
  %address = getelementptr i32, ptr addrspace(1) %x, i64 %i
  store i32 0, ptr addrspace(1) %address, align 4
  br label %latch

report:                                           ; preds = %loop
  %l = call i64 @__mocl3_local_id(i32 0)
  %context = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %place, i64 4, i64 0, i64 %l, i64 0, i64 0)
  br label %latch

latch:                                            ; preds = %report, %access
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !mocl3.remainder !0

exit:                                             ; preds = %latch
  br label %grid_stride.join

grid_stride.join:                                 ; preds = %exit, %grid_stride.remainder, %grid_stride.after_main
  call void @__mocl3_barrier()
  br label %done

done:                                             ; preds = %grid_stride.join
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()

declare i64 @__mocl3_group_id(i32)

declare i64 @__mocl3_global_offset(i32)

!0 = !{}
