; A private array that only the region between two rounds of a loop uses keeps its elements from
; round to round.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %array = alloca [4 x i32]
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__mocl3_barrier()
  %place = getelementptr i32, ptr %array, i64 %id
  %before = load i32, ptr %place
  %after = add i32 %before, 1
  store i32 %after, ptr %place
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %id = call i64 @__mocl3_local_id(i32 0)
;   per group   %across.i = i32, 4 bytes, for %i = phi i32 [ 0, %entry ], [ %next, %after1 ]
;   per item    %array = alloca [4 x i32], align 4, 16 bytes
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %across.i = alloca i32, align 4
  %array = alloca [4 x i32], align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop

loop:                                             ; preds = %after1, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %after1 ]
  store i32 %i, ptr %across.i, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after1

after1:                                           ; preds = %barrier
  %0 = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr i32, ptr %array, i64 %0
  %before = load i32, ptr %place, align 4
  %after = add i32 %before, 1
  store i32 %after, ptr %place, align 4
  %1 = load i32, ptr %across.i, align 4
  %next = add i32 %1, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %after1
  ret void
}
