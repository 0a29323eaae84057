; A component is stored alone. `.zx` are two stores; `.lo = .hi` reads what the store does not keep.
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(3) %tile, float %x, <2 x float> %xy) {
entry:
  %a = load <4 x float>, ptr addrspace(1) %out, align 16
  %b = insertelement <4 x float> %a, float %x, i64 3
  store <4 x float> %b, ptr addrspace(1) %out, align 16
  %c = load <4 x float>, ptr addrspace(3) %tile, align 16
  %d = shufflevector <2 x float> %xy, <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %e = shufflevector <4 x float> %c, <4 x float> %d, <4 x i32> <i32 5, i32 1, i32 4, i32 3>
  store <4 x float> %e, ptr addrspace(3) %tile, align 16
  %f = load <4 x float>, ptr addrspace(1) %out, align 16
  %g = shufflevector <4 x float> %f, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 2, i32 3>
  store <4 x float> %g, ptr addrspace(1) %out, align 16
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(3) %tile, float %x, <2 x float> %xy) {
entry:
  %0 = getelementptr float, ptr addrspace(1) %out, i64 3
  store float %x, ptr addrspace(1) %0, align 4
  %1 = extractelement <2 x float> %xy, i32 1
  %2 = getelementptr float, ptr addrspace(3) %tile, i64 0
  store float %1, ptr addrspace(3) %2, align 4
  %3 = extractelement <2 x float> %xy, i32 0
  %4 = getelementptr float, ptr addrspace(3) %tile, i64 2
  store float %3, ptr addrspace(3) %4, align 4
  %f = load <4 x float>, ptr addrspace(1) %out, align 16
  %5 = extractelement <4 x float> %f, i32 2
  %6 = getelementptr float, ptr addrspace(1) %out, i64 0
  store float %5, ptr addrspace(1) %6, align 4
  %7 = extractelement <4 x float> %f, i32 3
  %8 = getelementptr float, ptr addrspace(1) %out, i64 1
  store float %7, ptr addrspace(1) %8, align 4
  ret void
}
