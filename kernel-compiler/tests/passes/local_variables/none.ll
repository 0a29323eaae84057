; Without local variables there is no base address.
define spir_kernel void @k(ptr addrspace(3) %argument) {
entry:
  store i32 1, ptr addrspace(3) %argument
  ret void
}

; ==== after ====
; local memory: 0 bytes

define spir_kernel void @k(ptr addrspace(3) %argument) {
entry:
  store i32 1, ptr addrspace(3) %argument, align 4
  ret void
}
