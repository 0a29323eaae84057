; local size: 64,1,1
; The sum of each work-item is kept between the iterations; it is also the value after the loop.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums, i64 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %preheader, label %done

preheader:
  br label %loop

loop:
  %i = phi i64 [ %id, %preheader ], [ %next, %loop ]
  %sum = phi float [ 0.0, %preheader ], [ %more_sum, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more_sum = fadd float %sum, %value
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ %more_sum, %loop ]
  br label %done

done:
  %result = phi float [ 0.0, %entry ], [ %last, %exit ]
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %result, ptr addrspace(1) %to, align 4
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: %carried.sum
; shared: %base.i

declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums, i64 %n) {
entry:
  %carried.sum = alloca float, align 4
  %base.i = alloca i64, align 8
  %id = call i64 @__mocl3_global_id(i32 0)
  %some = icmp ult i64 %id, %n
  %0 = call i64 @__mocl3_global_size(i32 0)
  %1 = call i64 @__mocl3_group_id(i32 0)
  %2 = call i64 @__mocl3_global_offset(i32 0)
  %3 = mul i64 %1, 64
  %4 = add i64 %3, %2
  store float 0.000000e+00, ptr %carried.sum, align 4
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

grid_stride.main:                                 ; preds = %grid_stride.main, %entry
  call void @__mocl3_barrier()
  %9 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %10 = call i64 @__mocl3_local_id(i32 0)
  %11 = add nuw i64 %9, %10
  %12 = load float, ptr %carried.sum, align 4
  %13 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %11
  %14 = load float, ptr addrspace(1) %13, align 4
  %15 = fadd float %12, %14
  %16 = call i64 @__mocl3_global_size(i32 0)
  %17 = add i64 %11, %16
  %18 = icmp ult i64 %17, %n
  store float %15, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %19 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %20 = add i64 %19, %0
  store i64 %20, ptr %base.i, align 8
  %21 = icmp ult i64 %20, %n
  %22 = sub i64 %n, %20
  %23 = icmp uge i64 %22, 64
  %24 = and i1 %21, %23
  br i1 %24, label %grid_stride.main, label %grid_stride.after_main

grid_stride.after_main:                           ; preds = %grid_stride.main, %entry
  %25 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %26 = icmp ult i64 %25, %n
  %27 = icmp ugt i64 %25, -64
  %28 = or i1 %26, %27
  br i1 %28, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %29 = call i64 @__mocl3_local_id(i32 0)
  %30 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %31 = add i64 %30, %29
  %32 = icmp ult i64 %31, %n
  %33 = load float, ptr %carried.sum, align 4
  br i1 %32, label %preheader, label %grid_stride.join

loop:                                             ; preds = %loop, %preheader
  %i = phi i64 [ %31, %preheader ], [ %next, %loop ]
  %sum = phi float [ %33, %preheader ], [ %more_sum, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more_sum = fadd float %sum, %value
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !mocl3.remainder !0

exit:                                             ; preds = %loop
  %last = phi float [ %more_sum, %loop ]
  store float %more_sum, ptr %carried.sum, align 4
  br label %grid_stride.join

grid_stride.join:                                 ; preds = %exit, %grid_stride.remainder, %grid_stride.after_main
  call void @__mocl3_barrier()
  %34 = load float, ptr %carried.sum, align 4
  br label %done

done:                                             ; preds = %grid_stride.join
  %result = phi float [ %34, %grid_stride.join ]
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %result, ptr addrspace(1) %to, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()

declare i64 @__mocl3_group_id(i32)

declare i64 @__mocl3_global_offset(i32)

declare i64 @__mocl3_local_id(i32)

!0 = !{}
