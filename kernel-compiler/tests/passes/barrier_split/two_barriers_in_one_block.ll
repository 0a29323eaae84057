; Each barrier becomes a block, and so does the code between two of them.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  ret void
}

; ==== after ====
; splits: 2

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after1

after1:                                           ; preds = %barrier
  store i32 2, ptr addrspace(1) %p, align 4
  br label %barrier2

barrier2:                                         ; preds = %after1
  br label %after

after:                                            ; preds = %barrier2
  ret void
}
