; A loop that counts down by few iterations is not interchanged: it will be unrolled.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ 7, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i32 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add i32 %i, -1
  %again = icmp ne i32 %i, 0
  br i1 %again, label %loop, label %done
done:
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 7, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i32 %i
  %value = load float, ptr addrspace(1) %place, align 4
  %more = fadd float %sum, %value
  %next = add i32 %i, -1
  %again = icmp ne i32 %i, 0
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out, align 4
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
