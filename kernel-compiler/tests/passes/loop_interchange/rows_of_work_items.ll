; Each work-item walks along a row of its own: with the loops interchanged, each iteration would touch another cache line for
; each of them.
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %sums, i32 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %item = trunc i64 %id to i32
  %row = mul nsw i32 %item, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add nsw i32 %row, %i
  %place = getelementptr float, ptr addrspace(1) %p, i32 %index
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %out = getelementptr float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %out
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %sums, i32 %n) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %item = trunc i64 %id to i32
  %row = mul nsw i32 %item, %n
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %index = add nsw i32 %row, %i
  %place = getelementptr float, ptr addrspace(1) %p, i32 %index
  %value = load float, ptr addrspace(1) %place, align 4
  %more = fadd float %sum, %value
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  %out = getelementptr float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %out, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
