; `for (j = 16 * i; j < 16 * i + m; j++)` with numbers of 32 bits, which do not wrap.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc i64 %id to i32
  %first = shl nsw i32 %i, 4
  %end = add nsw i32 %first, %m
  br label %loop

loop:
  %j = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %j to i64
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %index
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %end
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
  %0 = sext i32 %m to i64
  br label %loop

loop:                                             ; preds = %loop, %entry
  %iteration = phi i64 [ 0, %entry ], [ %3, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %1 = trunc i64 %iteration to i32
  %2 = add i32 %first, %1
  %index = sext i32 %2 to i64
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %index
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nsw i32 %2, 1
  %again = icmp slt i32 %next, %end
  %3 = add i64 %iteration, 1
  %4 = icmp slt i64 %3, %0
  br i1 %4, label %loop, label %after

after:                                            ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}
