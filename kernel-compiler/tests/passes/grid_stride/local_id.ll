; local size: 64,1,1
; A loop over local ids without a guard, as of `n` that exceeds all local ids: the first iteration is
; executed unconditionally. The counter is used after the loop.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %lasts) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop

loop:
  %i = phi i64 [ %id, %entry ], [ %next, %loop ]
  %address = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %i
  store i8 0, ptr addrspace(1) %address, align 1
  %next = add nuw i64 %i, 64
  %more = icmp ult i64 %next, 10000
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr inbounds i64, ptr addrspace(1) %lasts, i64 %id
  store i64 %i, ptr addrspace(1) %to, align 8
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: %result.i2
; shared: %base.i

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %lasts) {
entry:
  %result.i2 = alloca i64, align 8
  %base.i = alloca i64, align 8
  %id = call i64 @__mocl3_local_id(i32 0)
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i64 0, ptr %base.i, align 8
  br i1 true, label %grid_stride.main, label %grid_stride.remainder

after:                                            ; preds = %grid_stride.remainder
  br label %loop

grid_stride.main:                                 ; preds = %grid_stride.main, %entry
  call void @__mocl3_barrier()
  %0 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %1 = call i64 @__mocl3_local_id(i32 0)
  %2 = add nuw i64 %0, %1
  %3 = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %2
  store i8 0, ptr addrspace(1) %3, align 1
  %4 = add nuw i64 %2, 64
  %5 = icmp ult i64 %4, 10000
  store i64 %2, ptr %result.i2, align 8
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %6 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %7 = add i64 %6, 64
  store i64 %7, ptr %base.i, align 8
  %8 = icmp ult i64 %7, 10000
  %9 = sub i64 10000, %7
  %10 = icmp uge i64 %9, 64
  %11 = and i1 %8, %10
  br i1 %11, label %grid_stride.main, label %grid_stride.after_main

grid_stride.after_main:                           ; preds = %grid_stride.main
  %12 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %13 = icmp ult i64 %12, 10000
  %14 = icmp ugt i64 %12, -64
  %15 = or i1 %13, %14
  br i1 %15, label %grid_stride.remainder, label %grid_stride.join

grid_stride.remainder:                            ; preds = %grid_stride.after_main, %entry
  call void @__mocl3_barrier()
  %16 = call i64 @__mocl3_local_id(i32 0)
  %17 = load i64, ptr %base.i, align 8, !mocl3.group_variable !0
  %18 = add i64 %17, %16
  %19 = icmp ult i64 %18, 10000
  %20 = icmp eq i64 %18, %id
  %21 = or i1 %19, %20
  br i1 %21, label %after, label %grid_stride.join

loop:                                             ; preds = %loop, %after
  %i = phi i64 [ %18, %after ], [ %next, %loop ]
  %address = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %i
  store i8 0, ptr addrspace(1) %address, align 1
  %next = add nuw i64 %i, 64
  %more = icmp ult i64 %next, 10000
  br i1 %more, label %loop, label %done, !mocl3.remainder !0

done:                                             ; preds = %loop
  store i64 %i, ptr %result.i2, align 8
  br label %grid_stride.join

grid_stride.join:                                 ; preds = %done, %grid_stride.remainder, %grid_stride.after_main
  call void @__mocl3_barrier()
  %22 = load i64, ptr %result.i2, align 8
  br label %after1

after1:                                           ; preds = %grid_stride.join
  %i2 = phi i64 [ %22, %grid_stride.join ]
  %to = getelementptr inbounds i64, ptr addrspace(1) %lasts, i64 %id
  store i64 %i2, ptr addrspace(1) %to, align 8
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()

!0 = !{}
