; Without a barrier no value lives across one, and private arrays stay on the stack.
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [4 x i32]
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr %array
  br label %rest
rest:
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   nothing
;
; private memory within regions
;   stack       %array = alloca [4 x i32], align 4, 16 bytes

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [4 x i32], align 4
  %v = load i32, ptr addrspace(1) %p, align 4
  store i32 %v, ptr %array, align 4
  br label %rest

rest:                                             ; preds = %entry
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}
