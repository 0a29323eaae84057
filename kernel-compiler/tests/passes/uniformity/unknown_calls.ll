; The result of a call is varying.
declare float @sqrtf(float)

define spir_kernel void @k(float %x) {
entry:
  %root = call float @sqrtf(float %x)
  %twice = fadd float %root, %root
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %root = call float @sqrtf(float %x)
;   varying  %twice = fadd float %root, %root
;   uniform  ret void
