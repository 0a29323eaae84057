; local size: 64,1,1
; A loop over `int` whose body has a branch. The bound belongs to the loop.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %first = trunc i64 %id to i32
  %none = icmp sgt i32 %first, %n
  br i1 %none, label %done, label %preheader

preheader:
  %step = call i64 @__mocl3_global_size(i32 0)
  %step32 = trunc i64 %step to i32
  br label %loop

loop:
  %i = phi i32 [ %first, %preheader ], [ %next, %latch ]
  %index = sext i32 %i to i64
  %address = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %index
  %value = load i32, ptr addrspace(1) %address, align 4
  %is_zero = icmp eq i32 %value, 0
  br i1 %is_zero, label %latch, label %reset

reset:
  store i32 0, ptr addrspace(1) %address, align 4
  br label %latch

latch:
  %next = add i32 %i, %step32
  %more = icmp sgt i32 %next, %n
  br i1 %more, label %exit, label %loop

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

define spir_kernel void @k(ptr addrspace(1) %x, i32 %n) {
entry:
  %base.i = alloca i32, align 4
  %id = call i64 @__mocl3_global_id(i32 0)
  %first = trunc i64 %id to i32
  %none = icmp sgt i32 %first, %n
  %0 = call i64 @__mocl3_global_size(i32 0)
  %1 = trunc i64 %0 to i32
  %2 = call i64 @__mocl3_group_id(i32 0)
  %3 = call i64 @__mocl3_global_offset(i32 0)
  %4 = mul i64 %2, 64
  %5 = add i64 %4, %3
  %6 = trunc i64 %5 to i32
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 %6, ptr %base.i, align 4
  %7 = icmp sle i32 %6, %n
  %8 = sub i32 %n, %6
  %9 = icmp uge i32 %8, 63
  %10 = and i1 %7, %9
  br i1 %10, label %grid_stride.main, label %grid_stride.after_main

preheader:                                        ; preds = %grid_stride.remainder
  %step = call i64 @__mocl3_global_size(i32 0)
  %step32 = trunc i64 %step to i32
  br label %loop

grid_stride.main:                                 ; preds = %latch2, %entry
  call void @__mocl3_barrier()
  %11 = load i32, ptr %base.i, align 4, !mocl3.group_variable !0
  %12 = call i64 @__mocl3_local_id(i32 0)
  %13 = trunc i64 %12 to i32
  %14 = add nsw i32 %11, %13
  %15 = call i64 @__mocl3_global_size(i32 0)
  %16 = trunc i64 %15 to i32
  %17 = sext i32 %11 to i64
  %18 = add nsw i64 %17, %12
  %19 = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %18
  %20 = load i32, ptr addrspace(1) %19, align 4
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %latch2, label %reset1

grid_stride.after_main:                           ; preds = %latch2, %entry
  %22 = load i32, ptr %base.i, align 4, !mocl3.group_variable !0
  %23 = icmp sle i32 %22, %n
  %24 = icmp sgt i32 %22, 2147483584
  %25 = or i1 %23, %24
  br i1 %25, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %26 = call i64 @__mocl3_local_id(i32 0)
  %27 = load i32, ptr %base.i, align 4, !mocl3.group_variable !0
  %28 = trunc i64 %26 to i32
  %29 = add i32 %27, %28
  %30 = icmp sle i32 %29, %n
  br i1 %30, label %preheader, label %grid_stride.join

reset1:                                           ; preds = %grid_stride.main
  store i32 0, ptr addrspace(1) %19, align 4
  br label %latch2

latch2:                                           ; preds = %reset1, %grid_stride.main
  %31 = add i32 %14, %16
  %32 = icmp sgt i32 %31, %n
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %33 = load i32, ptr %base.i, align 4, !mocl3.group_variable !0
  %34 = add i32 %33, %1
  store i32 %34, ptr %base.i, align 4
  %35 = icmp sle i32 %34, %n
  %36 = sub i32 %n, %34
  %37 = icmp uge i32 %36, 63
  %38 = and i1 %35, %37
  br i1 %38, label %grid_stride.main, label %grid_stride.after_main

loop:                                             ; preds = %latch, %preheader
  %i = phi i32 [ %29, %preheader ], [ %next, %latch ]
  %index = sext i32 %i to i64
  %address = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %index
  %value = load i32, ptr addrspace(1) %address, align 4
  %is_zero = icmp eq i32 %value, 0
  br i1 %is_zero, label %latch, label %reset

reset:                                            ; preds = %loop
  store i32 0, ptr addrspace(1) %address, align 4
  br label %latch

latch:                                            ; preds = %reset, %loop
  %next = add i32 %i, %step32
  %more = icmp sgt i32 %next, %n
  br i1 %more, label %exit, label %loop, !mocl3.remainder !0

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

declare i64 @__mocl3_local_id(i32)

!0 = !{}
