; local size: 64,1,1
; LLVM has widened counter and step from 32 to 64 bits by shifts: the C text has `int` for both.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %y, i32 %n) {
entry:
  %size = call i64 @__mocl3_global_size(i32 0)
  %id = call i64 @__mocl3_global_id(i32 0)
  %narrow = trunc i64 %id to i32
  %any = icmp sgt i32 %n, %narrow
  br i1 %any, label %before, label %done

before:
  %shifted = shl i64 %id, 32
  %first = ashr exact i64 %shifted, 32
  %shifted.size = shl i64 %size, 32
  %step = ashr exact i64 %shifted.size, 32
  %bound = sext i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ %first, %before ], [ %next, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %value, 1.0
  store float %more, ptr addrspace(1) %address, align 4
  %next = add nsw i64 %i, %step
  %is.more = icmp slt i64 %next, %bound
  br i1 %is.more, label %loop, label %end

end:
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

define spir_kernel void @k(ptr addrspace(1) %y, i32 %n) {
entry:
  %base.i = alloca i64, align 8
  %size = call i64 @__mocl3_global_size(i32 0)
  %id = call i64 @__mocl3_global_id(i32 0)
  %narrow = trunc i64 %id to i32
  %any = icmp sgt i32 %n, %narrow
  %0 = sext i32 %n to i64
  %1 = shl i64 %size, 32
  %2 = ashr exact i64 %1, 32
  %3 = call i64 @__mocl3_group_id(i32 0)
  %4 = call i64 @__mocl3_global_offset(i32 0)
  %5 = mul i64 %3, 64
  %6 = add i64 %5, %4
  %7 = shl i64 %6, 32
  %8 = ashr exact i64 %7, 32
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i64 %8, ptr %base.i, align 8
  %9 = icmp slt i64 %8, %0
  %10 = sub i64 %0, %8
  %11 = icmp uge i64 %10, 64
  %12 = and i1 %9, %11
  br i1 %12, label %grid_stride.main, label %grid_stride.after_main

before:                                           ; preds = %grid_stride.remainder
  %shifted = shl i64 %id, 32
  %first = ashr exact i64 %shifted, 32
  %shifted.size = shl i64 %size, 32
  %step = ashr exact i64 %shifted.size, 32
  %bound = sext i32 %n to i64
  br label %loop

grid_stride.main:                                 ; preds = %grid_stride.main, %entry
  call void @__mocl3_barrier()
  %13 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %14 = call i64 @__mocl3_local_id(i32 0)
  %15 = add nsw i64 %13, %14
  %16 = shl i64 %id, 32
  %17 = ashr exact i64 %16, 32
  %18 = shl i64 %size, 32
  %19 = ashr exact i64 %18, 32
  %20 = sext i32 %n to i64
  %21 = getelementptr inbounds float, ptr addrspace(1) %y, i64 %15
  %22 = load float, ptr addrspace(1) %21, align 4
  %23 = fadd float %22, 1.000000e+00
  store float %23, ptr addrspace(1) %21, align 4
  %24 = add nsw i64 %15, %19
  %25 = icmp slt i64 %24, %20
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %26 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %27 = add i64 %26, %2
  store i64 %27, ptr %base.i, align 8
  %28 = icmp slt i64 %27, %0
  %29 = sub i64 %0, %27
  %30 = icmp uge i64 %29, 64
  %31 = and i1 %28, %30
  br i1 %31, label %grid_stride.main, label %grid_stride.after_main

grid_stride.after_main:                           ; preds = %grid_stride.main, %entry
  %32 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %33 = icmp slt i64 %32, %0
  %34 = icmp sgt i64 %32, 9223372036854775744
  %35 = or i1 %33, %34
  br i1 %35, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %36 = call i64 @__mocl3_local_id(i32 0)
  %37 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %38 = add i64 %37, %36
  %39 = icmp slt i64 %38, %0
  br i1 %39, label %before, label %grid_stride.join

loop:                                             ; preds = %loop, %before
  %i = phi i64 [ %38, %before ], [ %next, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %value, 1.000000e+00
  store float %more, ptr addrspace(1) %address, align 4
  %next = add nsw i64 %i, %step
  %is.more = icmp slt i64 %next, %bound
  br i1 %is.more, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %loop
  br label %grid_stride.join

grid_stride.join:                                 ; preds = %end, %grid_stride.remainder, %grid_stride.after_main
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
