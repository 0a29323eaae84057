; The error for an undefined function has its name in the source.
declare float @_Z5blendff(float, float)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %y = call float @_Z5blendff(float 1.0, float 2.0)
  store float %y, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; error: undefined function `blend`
