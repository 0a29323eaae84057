; A function with a barrier is inlined into the kernel, and so is each function that calls it.
declare void @__mocl3_barrier()

define void @inner(ptr addrspace(1) %p) noinline {
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  ret void
}

define void @outer(ptr addrspace(1) %p) noinline {
  call void @inner(ptr addrspace(1) %p)
  ret void
}

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  call void @outer(ptr addrspace(1) %p)
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
declare void @__mocl3_barrier()

; Function Attrs: alwaysinline
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
entry:
  store i32 1, ptr addrspace(1) %p, align 4
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { alwaysinline }
