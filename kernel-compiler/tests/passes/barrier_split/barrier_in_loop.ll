; A barrier in a loop: the loop passes the barrier block. The φ stays before it, and its incoming block is still the latch.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; splits: 1

declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop

loop:                                             ; preds = %after, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %after ]
  store i32 %i, ptr addrspace(1) %p, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after

after:                                            ; preds = %barrier
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %after
  ret void
}
