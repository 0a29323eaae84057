; A kernel without transfers stays as it is.
define spir_kernel void @k(ptr addrspace(1) %a) {
entry:
  store i32 1, ptr addrspace(1) %a, align 4
  ret void
}

; ==== after ====
; sites: 0

define spir_kernel void @k(ptr addrspace(1) %a) {
entry:
  store i32 1, ptr addrspace(1) %a, align 4
  ret void
}
