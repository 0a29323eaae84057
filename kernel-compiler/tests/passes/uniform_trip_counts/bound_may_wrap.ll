; The bound may wrap: it says nothing of the number of iterations.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc i64 %id to i32
  %first = shl nsw i32 %i, 4
  %end = add i32 %first, %m
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
  %end = add i32 %first, %m
  br label %loop

loop:                                             ; preds = %loop, %entry
  %j = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %index = sext i32 %j to i64
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %index
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %end
  br i1 %again, label %loop, label %after

after:                                            ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}
