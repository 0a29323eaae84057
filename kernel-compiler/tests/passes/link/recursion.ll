; Recursion is rejected.
define i32 @f(i32 %x) {
  %y = call i32 @f(i32 %x)
  ret i32 %y
}

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %y = call i32 @f(i32 1)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; error: recursion is not supported (OpenCL 1.2, section 6.9): function `f` calls itself
