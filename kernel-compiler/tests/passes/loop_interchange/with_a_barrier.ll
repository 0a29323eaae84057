; A loop with a barrier is interchanged even if it could be unrolled: the barrier splits regions in any case.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(3) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(3) %p, i64 %id
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr addrspace(3) %place
  call void @__mocl3_barrier()
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, 4
  br i1 %again, label %loop, label %done
done:
  ret void
}

; ==== after ====
; loops interchanged: 1
; per item: nothing
; shared: %shared.i

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(3) %p) {
entry:
  %shared.i = alloca i32, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(3) %p, i64 %id
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 0, ptr %shared.i, align 4
  br label %loop

loop:                                             ; preds = %loop, %entry
  call void @__mocl3_barrier()
  %0 = load i32, ptr %shared.i, align 4
  %1 = load i32, ptr %shared.i, align 4
  store i32 %1, ptr addrspace(3) %place, align 4
  call void @__mocl3_barrier()
  %2 = load i32, ptr %shared.i, align 4
  %next = add i32 %2, 1
  %again = icmp slt i32 %next, 4
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %3 = load i32, ptr %shared.i, align 4
  %4 = add i32 %3, 1
  %5 = icmp slt i32 %4, 4
  store i32 %4, ptr %shared.i, align 4
  br i1 %5, label %loop, label %done

done:                                             ; preds = %loop
  call void @__mocl3_barrier()
  ret void
}

declare void @__mocl3_once()
