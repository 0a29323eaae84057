; Recursion through another function is rejected.
define i32 @f(i32 %x) {
  %y = call i32 @g(i32 %x)
  ret i32 %y
}

define i32 @g(i32 %x) {
  %y = call i32 @f(i32 %x)
  ret i32 %y
}

define spir_kernel void @k() {
entry:
  ret void
}

; ==== after ====
; error: recursion is not supported (OpenCL 1.2, section 6.9): function `f` calls itself
