; local size: 64,4,1
; lanes: 16
; Each work-item would keep 32 bytes in memory, which the loop adds again for each row.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %plane, i32 %planes) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  %at = getelementptr inbounds <8 x float>, ptr addrspace(1) %in, i64 %x
  %values = load <8 x float>, ptr addrspace(1) %at, align 32
  br label %loop

loop:
  %z = phi i32 [ 0, %entry ], [ %next.z, %loop ]
  %i = phi i64 [ %x, %entry ], [ %next.i, %loop ]
  %to = getelementptr inbounds <8 x float>, ptr addrspace(1) %out, i64 %i
  %row = uitofp i32 %z to float
  %sum = insertelement <8 x float> %values, float %row, i64 0
  store <8 x float> %sum, ptr addrspace(1) %to, align 32
  %next.i = add i64 %i, %plane
  %next.z = add nuw nsw i32 %z, 1
  %again = icmp slt i32 %next.z, %planes
  br i1 %again, label %loop, label %done

done:
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %plane, i32 %planes) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  %at = getelementptr inbounds <8 x float>, ptr addrspace(1) %in, i64 %x
  %values = load <8 x float>, ptr addrspace(1) %at, align 32
  br label %loop

loop:                                             ; preds = %loop, %entry
  %z = phi i32 [ 0, %entry ], [ %next.z, %loop ]
  %i = phi i64 [ %x, %entry ], [ %next.i, %loop ]
  %to = getelementptr inbounds <8 x float>, ptr addrspace(1) %out, i64 %i
  %row = uitofp i32 %z to float
  %sum = insertelement <8 x float> %values, float %row, i64 0
  store <8 x float> %sum, ptr addrspace(1) %to, align 32
  %next.i = add i64 %i, %plane
  %next.z = add nuw nsw i32 %z, 1
  %again = icmp slt i32 %next.z, %planes
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
