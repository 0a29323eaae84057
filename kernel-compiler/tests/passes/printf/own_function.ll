; A program's own function named printf is not changed.
@format = internal addrspace(2) constant [2 x i8] c"x\00"

define i32 @printf(ptr addrspace(2) %format) {
entry:
  ret i32 7
}

define spir_kernel void @k() {
entry:
  %code = call i32 @printf(ptr addrspace(2) @format)
  ret void
}

; ==== after ====
@format = internal addrspace(2) constant [2 x i8] c"x\00"

define i32 @printf(ptr addrspace(2) %format) {
entry:
  ret i32 7
}

define spir_kernel void @k() {
entry:
  %code = call i32 @printf(ptr addrspace(2) @format)
  ret void
}
