; local size: 64,1,1
; The counter of a grid-stride loop over `uint`, as instcombine leaves it: 64 bits wide and masked at
; each use. The group executes the iterations that all its work-items execute, and the original loop
; the others.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %first = trunc i64 %id to i32
  %some = icmp ult i32 %first, %n
  br i1 %some, label %preheader, label %done

preheader:
  br label %loop

loop:
  %i = phi i64 [ %id, %preheader ], [ %next, %loop ]
  %index = and i64 %i, 4294967295
  %address = getelementptr inbounds nuw float, ptr addrspace(1) %x, i64 %index
  store float 0.0, ptr addrspace(1) %address, align 4
  %size = call i64 @__mocl3_global_size(i32 0)
  %next = add i64 %index, %size
  %counter = trunc i64 %next to i32
  %more = icmp ugt i32 %n, %counter
  br i1 %more, label %loop, label %exit

exit:
  br label %done

done:
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: nothing
; shared: %base.i1

declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_global_size(i32)

define spir_kernel void @k(ptr addrspace(1) %x, i32 %n) {
entry:
  %base.i1 = alloca i32, align 4
  %id = call i64 @__mocl3_global_id(i32 0)
  %first = trunc i64 %id to i32
  %some = icmp ult i32 %first, %n
  %0 = call i64 @__mocl3_global_size(i32 0)
  %1 = trunc i64 %0 to i32
  %2 = call i64 @__mocl3_group_id(i32 0)
  %3 = call i64 @__mocl3_global_offset(i32 0)
  %4 = mul i64 %2, 64
  %5 = add i64 %4, %3
  %6 = trunc i64 %5 to i32
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 %6, ptr %base.i1, align 4
  %7 = icmp ult i32 %6, %n
  %8 = sub i32 %n, %6
  %9 = icmp uge i32 %8, 64
  %10 = and i1 %7, %9
  br i1 %10, label %grid_stride.main, label %grid_stride.after_main

preheader:                                        ; preds = %grid_stride.remainder
  %11 = trunc i64 %id to i32
  br label %loop

grid_stride.main:                                 ; preds = %grid_stride.main, %entry
  call void @__mocl3_barrier()
  %12 = load i32, ptr %base.i1, align 4, !mocl3.group_variable !0
  %13 = call i64 @__mocl3_local_id(i32 0)
  %14 = trunc i64 %13 to i32
  %15 = add nuw i32 %12, %14
  %16 = trunc i64 %id to i32
  %17 = zext i32 %12 to i64
  %18 = add nsw i64 %17, %13
  %19 = getelementptr inbounds nuw float, ptr addrspace(1) %x, i64 %18
  store float 0.000000e+00, ptr addrspace(1) %19, align 4
  %20 = call i64 @__mocl3_global_size(i32 0)
  %21 = trunc i64 %20 to i32
  %22 = add i32 %15, %21
  %23 = add i64 %18, %20
  %24 = trunc i64 %23 to i32
  %25 = icmp ugt i32 %n, %22
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %26 = load i32, ptr %base.i1, align 4, !mocl3.group_variable !0
  %27 = add i32 %26, %1
  store i32 %27, ptr %base.i1, align 4
  %28 = icmp ult i32 %27, %n
  %29 = sub i32 %n, %27
  %30 = icmp uge i32 %29, 64
  %31 = and i1 %28, %30
  br i1 %31, label %grid_stride.main, label %grid_stride.after_main

grid_stride.after_main:                           ; preds = %grid_stride.main, %entry
  %32 = load i32, ptr %base.i1, align 4, !mocl3.group_variable !0
  %33 = icmp ult i32 %32, %n
  %34 = icmp ugt i32 %32, -64
  %35 = or i1 %33, %34
  br i1 %35, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main
  call void @__mocl3_barrier()
  %36 = call i64 @__mocl3_local_id(i32 0)
  %37 = load i32, ptr %base.i1, align 4, !mocl3.group_variable !0
  %38 = trunc i64 %36 to i32
  %39 = add i32 %37, %38
  %40 = icmp ult i32 %39, %n
  br i1 %40, label %preheader, label %grid_stride.join

loop:                                             ; preds = %loop, %preheader
  %i1 = phi i32 [ %39, %preheader ], [ %43, %loop ]
  %41 = zext i32 %i1 to i64
  %address = getelementptr inbounds nuw float, ptr addrspace(1) %x, i64 %41
  store float 0.000000e+00, ptr addrspace(1) %address, align 4
  %size = call i64 @__mocl3_global_size(i32 0)
  %42 = trunc i64 %size to i32
  %43 = add i32 %i1, %42
  %next = add i64 %41, %size
  %counter = trunc i64 %next to i32
  %more = icmp ugt i32 %n, %43
  br i1 %more, label %loop, label %exit, !mocl3.remainder !0

exit:                                             ; preds = %loop
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
