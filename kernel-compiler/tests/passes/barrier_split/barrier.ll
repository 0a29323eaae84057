; A barrier becomes a block of its own, between the code before it and the code after it.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; splits: 1

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  store i32 2, ptr addrspace(1) %p, align 4
  ret void
}
