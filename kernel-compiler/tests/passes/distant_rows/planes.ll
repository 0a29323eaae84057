; local size: 64,4,1
; lanes: 16
; Each iteration stores to another plane: all rows of the group follow each other in it. The index that each iteration
; increases is a work-item's own, but what is added to it is the group's. Each work-item keeps the element in the plane before.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %plane, i32 %planes) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  br label %loop

loop:
  %z = phi i32 [ 0, %entry ], [ %next.z, %loop ]
  %i = phi i64 [ %x, %entry ], [ %next.i, %loop ]
  %before = phi float [ 0.0, %entry ], [ %value, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %sum = fadd float %before, %value
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store float %sum, ptr addrspace(1) %to, align 4
  %next.i = add i64 %i, %plane
  %next.z = add nuw nsw i32 %z, 1
  %again = icmp slt i32 %next.z, %planes
  br i1 %again, label %loop, label %done

done:
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: %carried.before
; shared: %shared.z %shared.i1

declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %plane, i32 %planes) {
entry:
  %shared.i1 = alloca i64, align 8
  %shared.z = alloca i32, align 4
  %carried.before = alloca float, align 4
  %x = call i64 @__mocl3_global_id(i32 0)
  store float 0.000000e+00, ptr %carried.before, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 0, ptr %shared.z, align 4
  store i64 0, ptr %shared.i1, align 8
  br label %loop

loop:                                             ; preds = %loop, %entry
  call void @__mocl3_barrier()
  %0 = load float, ptr %carried.before, align 4
  %1 = load i64, ptr %shared.i1, align 8
  %2 = load i32, ptr %shared.z, align 4
  %3 = load i64, ptr %shared.i1, align 8
  %4 = add i64 %x, %3
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %4
  %value = load float, ptr addrspace(1) %from, align 4
  %sum = fadd float %0, %value
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %4
  store float %sum, ptr addrspace(1) %to, align 4
  %next.i = add i64 %4, %plane
  %5 = load i32, ptr %shared.z, align 4
  %next.z = add nuw nsw i32 %5, 1
  %again = icmp slt i32 %next.z, %planes
  %6 = load i64, ptr %shared.i1, align 8
  %7 = add i64 %6, %plane
  store float %value, ptr %carried.before, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %8 = load i32, ptr %shared.z, align 4
  %9 = load i64, ptr %shared.i1, align 8
  %10 = add nuw nsw i32 %8, 1
  %11 = add i64 %9, %plane
  %12 = icmp slt i32 %10, %planes
  store i32 %10, ptr %shared.z, align 4
  store i64 %11, ptr %shared.i1, align 8
  br i1 %12, label %loop, label %done

done:                                             ; preds = %loop
  call void @__mocl3_barrier()
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
