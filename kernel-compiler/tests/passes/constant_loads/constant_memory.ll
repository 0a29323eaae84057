; Loads of constant memory, which holds image descriptors, are invariant while a kernel runs.
define spir_kernel void @k(ptr addrspace(2) %constant, ptr addrspace(1) %global) {
entry:
  %x = load i32, ptr addrspace(2) %constant
  %y = load i32, ptr addrspace(1) %global
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %global
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(2) %constant, ptr addrspace(1) %global) {
entry:
  %x = load i32, ptr addrspace(2) %constant, align 4, !invariant.load !0
  %y = load i32, ptr addrspace(1) %global, align 4
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %global, align 4
  ret void
}

!0 = !{}
