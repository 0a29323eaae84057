; The rows have different lengths.
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
  %row.after = mul nuw nsw i32 %after.i, %i
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
  %row.after = mul nuw nsw i32 %after.i, %i
  %first = zext nneg i32 %row to i64
  %end = zext nneg i32 %row.after to i64
  br label %loop

loop:                                             ; preds = %loop, %before
  %j = phi i64 [ %first, %before ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %before ], [ %more, %loop ]
  %address = getelementptr inbounds float, ptr addrspace(1) %v, i64 %j
  %value = load float, ptr addrspace(1) %address, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %j, 1
  %is.last = icmp eq i64 %next, %end
  br i1 %is.last, label %after, label %loop

after:                                            ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  br label %done

done:                                             ; preds = %after, %entry
  ret void
}
