; The successors of a switch have the block after the barrier as predecessor.
declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  call void @__mocl3_barrier()
  switch i32 %n, label %meet [
    i32 0, label %zero
    i32 1, label %meet
  ]
zero:
  br label %meet
meet:
  %v = phi i32 [ 7, %entry ], [ 7, %entry ], [ 8, %zero ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; splits: 1

declare void @__mocl3_barrier()

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  switch i32 %n, label %meet [
    i32 0, label %zero
    i32 1, label %meet
  ]

zero:                                             ; preds = %after
  br label %meet

meet:                                             ; preds = %zero, %after, %after
  %v = phi i32 [ 7, %after ], [ 7, %after ], [ 8, %zero ]
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}
