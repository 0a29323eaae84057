; Stores of whole vectors: of other memory, after a write between, volatile, not aligned as a vector,
; private.
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in, float %x, i64 %i) {
entry:
  %a = load <2 x float>, ptr addrspace(1) %in, align 8
  %b = insertelement <2 x float> %a, float %x, i64 1
  store <2 x float> %b, ptr addrspace(1) %out, align 8
  %c = load <2 x float>, ptr addrspace(1) %out, align 8
  store float %x, ptr addrspace(1) %in, align 4
  %d = insertelement <2 x float> %c, float %x, i64 1
  store <2 x float> %d, ptr addrspace(1) %out, align 8
  %e = load volatile <2 x float>, ptr addrspace(1) %out, align 8
  %f = insertelement <2 x float> %e, float %x, i64 1
  store volatile <2 x float> %f, ptr addrspace(1) %out, align 8
  %g = load <2 x float>, ptr addrspace(1) %out, align 4
  %h = insertelement <2 x float> %g, float %x, i64 1
  store <2 x float> %h, ptr addrspace(1) %out, align 4
  %p = alloca <2 x float>, align 8
  %j = load <2 x float>, ptr %p, align 8
  %k = insertelement <2 x float> %j, float %x, i64 1
  store <2 x float> %k, ptr %p, align 8
  %l = load <2 x float>, ptr addrspace(1) %out, align 8
  %m = insertelement <2 x float> %l, float %x, i64 %i
  store <2 x float> %m, ptr addrspace(1) %out, align 8
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in, float %x, i64 %i) {
entry:
  %a = load <2 x float>, ptr addrspace(1) %in, align 8
  %b = insertelement <2 x float> %a, float %x, i64 1
  store <2 x float> %b, ptr addrspace(1) %out, align 8
  %c = load <2 x float>, ptr addrspace(1) %out, align 8
  store float %x, ptr addrspace(1) %in, align 4
  %d = insertelement <2 x float> %c, float %x, i64 1
  store <2 x float> %d, ptr addrspace(1) %out, align 8
  %e = load volatile <2 x float>, ptr addrspace(1) %out, align 8
  %f = insertelement <2 x float> %e, float %x, i64 1
  store volatile <2 x float> %f, ptr addrspace(1) %out, align 8
  %g = load <2 x float>, ptr addrspace(1) %out, align 4
  %h = insertelement <2 x float> %g, float %x, i64 1
  store <2 x float> %h, ptr addrspace(1) %out, align 4
  %p = alloca <2 x float>, align 8
  %j = load <2 x float>, ptr %p, align 8
  %k = insertelement <2 x float> %j, float %x, i64 1
  store <2 x float> %k, ptr %p, align 8
  %l = load <2 x float>, ptr addrspace(1) %out, align 8
  %m = insertelement <2 x float> %l, float %x, i64 %i
  store <2 x float> %m, ptr addrspace(1) %out, align 8
  ret void
}
