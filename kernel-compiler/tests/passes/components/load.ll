; Components are loaded alone if nothing else uses the vector.
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %a = load <4 x float>, ptr addrspace(1) %in, align 16
  %x = extractelement <4 x float> %a, i64 1
  store float %x, ptr addrspace(1) %out, align 4
  %b = load <4 x float>, ptr addrspace(1) %in, align 16
  %xy = shufflevector <4 x float> %b, <4 x float> poison, <2 x i32> <i32 3, i32 3>
  store <2 x float> %xy, ptr addrspace(1) %out, align 8
  %c = load <4 x float>, ptr addrspace(1) %in, align 16
  %wzyx = shufflevector <4 x float> %c, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x float> %wzyx, ptr addrspace(1) %out, align 16
  %d = load <2 x float>, ptr addrspace(1) %in, align 8
  %y = extractelement <2 x float> %d, i64 0
  %z = extractelement <2 x float> %d, i64 1
  %sum = fadd float %y, %z
  store float %sum, ptr addrspace(1) %out, align 4
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %0 = getelementptr float, ptr addrspace(1) %in, i64 1
  %1 = load float, ptr addrspace(1) %0, align 4
  store float %1, ptr addrspace(1) %out, align 4
  %2 = getelementptr float, ptr addrspace(1) %in, i64 3
  %3 = load float, ptr addrspace(1) %2, align 4
  %4 = insertelement <2 x float> poison, float %3, i32 0
  %5 = insertelement <2 x float> %4, float %3, i32 1
  store <2 x float> %5, ptr addrspace(1) %out, align 8
  %c = load <4 x float>, ptr addrspace(1) %in, align 16
  %wzyx = shufflevector <4 x float> %c, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x float> %wzyx, ptr addrspace(1) %out, align 16
  %d = load <2 x float>, ptr addrspace(1) %in, align 8
  %y = extractelement <2 x float> %d, i64 0
  %z = extractelement <2 x float> %d, i64 1
  %sum = fadd float %y, %z
  store float %sum, ptr addrspace(1) %out, align 4
  ret void
}
