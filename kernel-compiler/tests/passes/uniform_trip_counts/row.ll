; The row of each work-item begins at a multiple of its id, and has %m elements: `for (j = i * m; j < (i + 1) * m; j++)`,
; which LLVM has widened.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc nuw i64 %id to i32
  %any = icmp sgt i32 %m, 0
  br i1 %any, label %before, label %done

before:
  %after.i = add nuw nsw i32 %i, 1
  %row = mul nuw nsw i32 %m, %i
  %row.after = mul nuw nsw i32 %after.i, %m
  %first = zext nneg i32 %row to i64
  %end = zext nneg i32 %row.after to i64
  br label %loop

loop:
  %j = phi i64 [ %first, %before ], [ %next, %loop ]
  %sum = phi float [ 0.0, %before ], [ %more, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %j
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %j, 1
  %is.last = icmp eq i64 %next, %end
  br i1 %is.last, label %after, label %loop

after:
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  br label %done

done:
  ret void
}

; ==== after ====
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %v, ptr addrspace(1) %sums, i32 %m) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %i = trunc nuw i64 %id to i32
  %any = icmp sgt i32 %m, 0
  br i1 %any, label %before, label %done

before:                                           ; preds = %entry
  %after.i = add nuw nsw i32 %i, 1
  %row = mul nuw nsw i32 %m, %i
  %row.after = mul nuw nsw i32 %after.i, %m
  %first = zext nneg i32 %row to i64
  %end = zext nneg i32 %row.after to i64
  %0 = sext i32 %m to i64
  br label %loop

loop:                                             ; preds = %loop, %before
  %iteration = phi i64 [ 0, %before ], [ %2, %loop ]
  %sum = phi float [ 0.000000e+00, %before ], [ %more, %loop ]
  %1 = add nuw nsw i64 %first, %iteration
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %1
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %1, 1
  %is.last = icmp eq i64 %next, %end
  %2 = add i64 %iteration, 1
  %3 = icmp eq i64 %2, %0
  br i1 %3, label %after, label %loop

after:                                            ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  br label %done

done:                                             ; preds = %after, %entry
  ret void
}
