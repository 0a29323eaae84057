; Stack slots become values, so that work-group formation finds the values that cross a barrier.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %x = alloca i32
  store i32 7, ptr %x
  call void @__mocl3_barrier()
  %y = load i32, ptr %x
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; ==== after ====
declare void @__mocl3_barrier()

; Function Attrs: alwaysinline
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
entry:
  call void @__mocl3_barrier()
  store i32 7, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { alwaysinline }
