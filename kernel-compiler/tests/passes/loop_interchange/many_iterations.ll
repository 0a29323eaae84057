; A loop with a constant trip count that is too large to unroll is interchanged.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i32 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, 1000
  br i1 %again, label %loop, label %done
done:
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: %carried.sum
; shared: %shared.i

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %shared.i = alloca i32, align 4
  %carried.sum = alloca float, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  store float 0.000000e+00, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 0, ptr %shared.i, align 4
  br label %loop

loop:                                             ; preds = %loop, %entry
  call void @__mocl3_barrier()
  %0 = load float, ptr %carried.sum, align 4
  %1 = load i32, ptr %shared.i, align 4
  %2 = load i32, ptr %shared.i, align 4
  %place = getelementptr float, ptr addrspace(1) %p, i32 %2
  %value = load float, ptr addrspace(1) %place, align 4
  %more = fadd float %0, %value
  %3 = load i32, ptr %shared.i, align 4
  %next = add i32 %3, 1
  %again = icmp slt i32 %next, 1000
  store float %more, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %4 = load i32, ptr %shared.i, align 4
  %5 = add i32 %4, 1
  %6 = icmp slt i32 %5, 1000
  store i32 %5, ptr %shared.i, align 4
  br i1 %6, label %loop, label %done

done:                                             ; preds = %loop
  call void @__mocl3_barrier()
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
