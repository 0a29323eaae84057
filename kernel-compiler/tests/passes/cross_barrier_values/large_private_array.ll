; A large array used within one region is not on the host thread's stack; a small one is.
define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %small = alloca [9 x i32]
  %large = alloca [100000 x i32]
  %place = getelementptr i32, ptr %large, i32 %i
  store i32 1, ptr %place
  store i32 1, ptr %small
  ret void
}

; ==== after ====
; what lives across barriers
;   nothing
;
; private memory within regions
;   stack       %small = alloca [9 x i32], align 4, 36 bytes
;   heap        %large = alloca [100000 x i32], align 4, 400000 bytes

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %small = alloca [9 x i32], align 4
  %large = alloca [100000 x i32], align 4
  %place = getelementptr i32, ptr %large, i32 %i
  store i32 1, ptr %place, align 4
  store i32 1, ptr %small, align 4
  ret void
}
