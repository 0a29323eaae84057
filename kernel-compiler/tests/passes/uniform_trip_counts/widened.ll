; As in sum.ll, after LLVM has widened the index to 64 bits.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc i64 %id to i32
  %first = shl nsw i32 %i, 4
  %end = add nsw i32 %first, %m
  %wide.first = sext i32 %first to i64
  %wide.end = sext i32 %end to i64
  br label %loop

loop:
  %j = phi i64 [ %wide.first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %j
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nsw i64 %j, 1
  %again = icmp slt i64 %next, %wide.end
  br i1 %again, label %loop, label %after

after:
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}

; ==== after ====
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc i64 %id to i32
  %first = shl nsw i32 %i, 4
  %end = add nsw i32 %first, %m
  %wide.first = sext i32 %first to i64
  %wide.end = sext i32 %end to i64
  %0 = sext i32 %m to i64
  br label %loop

loop:                                             ; preds = %loop, %entry
  %iteration = phi i64 [ 0, %entry ], [ %2, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %1 = add i64 %wide.first, %iteration
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %1
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nsw i64 %1, 1
  %again = icmp slt i64 %next, %wide.end
  %2 = add i64 %iteration, 1
  %3 = icmp slt i64 %2, %0
  br i1 %3, label %loop, label %after

after:                                            ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}
