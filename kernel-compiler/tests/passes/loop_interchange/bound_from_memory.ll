; A loop whose bound is loaded from global memory in each iteration is not interchanged: the bound may change.
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %place
  %n = load i32, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %place, align 4
  %n = load i32, ptr addrspace(1) %p, align 4
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
