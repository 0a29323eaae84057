; A loop that counts down by many iterations is interchanged, as one that counts up.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i64 [ 999, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add i64 %i, -1
  %again = icmp ne i64 %i, 0
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
  %shared.i = alloca i64, align 8
  %carried.sum = alloca float, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  store float 0.000000e+00, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i64 999, ptr %shared.i, align 8
  br label %loop

loop:                                             ; preds = %loop, %entry
  call void @__mocl3_barrier()
  %0 = load float, ptr %carried.sum, align 4
  %1 = load i64, ptr %shared.i, align 8
  %2 = load i64, ptr %shared.i, align 8
  %place = getelementptr float, ptr addrspace(1) %p, i64 %2
  %value = load float, ptr addrspace(1) %place, align 4
  %more = fadd float %0, %value
  %3 = load i64, ptr %shared.i, align 8
  %next = add i64 %3, -1
  %4 = load i64, ptr %shared.i, align 8
  %again = icmp ne i64 %4, 0
  store float %more, ptr %carried.sum, align 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %5 = load i64, ptr %shared.i, align 8
  %6 = add i64 %5, -1
  %7 = icmp ne i64 %5, 0
  store i64 %6, ptr %shared.i, align 8
  br i1 %7, label %loop, label %done

done:                                             ; preds = %loop
  call void @__mocl3_barrier()
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
