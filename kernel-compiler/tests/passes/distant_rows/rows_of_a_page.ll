; local size: 64,4,1
; lanes: 16
; Rows of 1 KiB share pages.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %rows) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  br label %loop

loop:
  %y = phi i32 [ 0, %entry ], [ %next.y, %loop ]
  %i = phi i64 [ %x, %entry ], [ %next.i, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %more = fadd float %sum, %value
  store float %more, ptr addrspace(1) %from, align 4
  %next.i = add i64 %i, 256
  %next.y = add nuw nsw i32 %y, 1
  %again = icmp slt i32 %next.y, %rows
  br i1 %again, label %loop, label %done

done:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %rows) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  br label %loop

loop:                                             ; preds = %loop, %entry
  %y = phi i32 [ 0, %entry ], [ %next.y, %loop ]
  %i = phi i64 [ %x, %entry ], [ %next.i, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %more = fadd float %sum, %value
  store float %more, ptr addrspace(1) %from, align 4
  %next.i = add i64 %i, 256
  %next.y = add nuw nsw i32 %y, 1
  %again = icmp slt i32 %next.y, %rows
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
