; local size: 64,1,1
; LLVM has widened the counter to 64 bits, and left the comparison before the loop with 32.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %narrow = trunc nuw i64 %id to i32
  %any = icmp sgt i32 %n, %narrow
  br i1 %any, label %before, label %done

before:
  %bound = sext i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ %id, %before ], [ %next, %loop ]
  %sum = phi float [ 0.0, %before ], [ %more, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %i, 64
  %is.more = icmp slt i64 %next, %bound
  br i1 %is.more, label %loop, label %end

end:
  %all = phi float [ %more, %loop ]
  br label %done

done:
  %result = phi float [ 0.0, %entry ], [ %all, %end ]
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %result, ptr addrspace(1) %to, align 4
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: %carried.sum
; shared: %base.i

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums, i32 %n) {
entry:
  %carried.sum = alloca float, align 4
  %base.i = alloca i64, align 8
  %id = call i64 @__mocl3_local_id(i32 0)
  %narrow = trunc nuw i64 %id to i32
  %any = icmp sgt i32 %n, %narrow
  %0 = sext i32 %n to i64
  store float 0.000000e+00, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i64 0, ptr %base.i, align 8
  %1 = icmp slt i64 0, %0
  %2 = sub i64 %0, 0
  %3 = icmp uge i64 %2, 64
  %4 = and i1 %1, %3
  br i1 %4, label %grid_stride.main, label %grid_stride.after_main

before:                                           ; preds = %grid_stride.remainder
  %bound = sext i32 %n to i64
  br label %loop

grid_stride.main:                                 ; preds = %grid_stride.main, %entry
  call void @__mocl3_barrier()
  %5 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %6 = call i64 @__mocl3_local_id(i32 0)
  %7 = add nsw i64 %5, %6
  %8 = load float, ptr %carried.sum, align 4
  %9 = sext i32 %n to i64
  %10 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %7
  %11 = load float, ptr addrspace(1) %10, align 4
  %12 = fadd float %8, %11
  %13 = add nuw nsw i64 %7, 64
  %14 = icmp slt i64 %13, %9
  store float %12, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %15 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %16 = add i64 %15, 64
  store i64 %16, ptr %base.i, align 8
  %17 = icmp slt i64 %16, %0
  %18 = sub i64 %0, %16
  %19 = icmp uge i64 %18, 64
  %20 = and i1 %17, %19
  br i1 %20, label %grid_stride.main, label %grid_stride.after_main

grid_stride.after_main:                           ; preds = %grid_stride.main, %entry
  %21 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %22 = icmp slt i64 %21, %0
  %23 = icmp sgt i64 %21, 9223372036854775744
  %24 = or i1 %22, %23
  br i1 %24, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %25 = call i64 @__mocl3_local_id(i32 0)
  %26 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %27 = add i64 %26, %25
  %28 = icmp slt i64 %27, %0
  %29 = load float, ptr %carried.sum, align 4
  br i1 %28, label %before, label %grid_stride.join

loop:                                             ; preds = %loop, %before
  %i = phi i64 [ %27, %before ], [ %next, %loop ]
  %sum = phi float [ %29, %before ], [ %more, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %i, 64
  %is.more = icmp slt i64 %next, %bound
  br i1 %is.more, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %loop
  %all = phi float [ %more, %loop ]
  store float %more, ptr %carried.sum, align 4
  br label %grid_stride.join

grid_stride.join:                                 ; preds = %end, %grid_stride.remainder, %grid_stride.after_main
  call void @__mocl3_barrier()
  %30 = load float, ptr %carried.sum, align 4
  br label %done

done:                                             ; preds = %grid_stride.join
  %result = phi float [ %30, %grid_stride.join ]
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %result, ptr addrspace(1) %to, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()

!0 = !{}
