; Calls with the same angle in one block are merged; those of different angles, or in different
; blocks, are not.
declare float @_Z3sinf(float)
declare float @_Z3cosf(float)
declare <4 x float> @_Z3sinDv4_f(<4 x float>)
declare <4 x float> @_Z3cosDv4_f(<4 x float>)

define void @k(float %a, float %b, <4 x float> %v, ptr addrspace(1) %to, i1 %again) {
entry:
  %cosine = call float @_Z3cosf(float %a)
  %sine = call float @_Z3sinf(float %a)
  %other = call float @_Z3sinf(float %b)
  %sum = fadd float %cosine, %sine
  %sum.other = fadd float %sum, %other
  store float %sum.other, ptr addrspace(1) %to, align 4
  br i1 %again, label %then, label %exit

then:
  %cosine.b = call float @_Z3cosf(float %b)
  store float %cosine.b, ptr addrspace(1) %to, align 4
  %sines = call <4 x float> @_Z3sinDv4_f(<4 x float> %v)
  %cosines = call <4 x float> @_Z3cosDv4_f(<4 x float> %v)
  %product = fmul <4 x float> %sines, %cosines
  store <4 x float> %product, ptr addrspace(1) %to, align 16
  br label %exit

exit:
  ret void
}

; ==== after ====
declare float @_Z3sinf(float)

declare float @_Z3cosf(float)

declare <4 x float> @_Z3sinDv4_f(<4 x float>)

declare <4 x float> @_Z3cosDv4_f(<4 x float>)

define void @k(float %a, float %b, <4 x float> %v, ptr addrspace(1) %to, i1 %again) {
entry:
  %cosine = alloca <4 x float>, align 16
  %cosine1 = alloca float, align 4
  %0 = call float @_Z6sincosfPU9CLprivatef(float %a, ptr %cosine1)
  %1 = load float, ptr %cosine1, align 4
  %other = call float @_Z3sinf(float %b)
  %sum = fadd float %1, %0
  %sum.other = fadd float %sum, %other
  store float %sum.other, ptr addrspace(1) %to, align 4
  br i1 %again, label %then, label %exit

then:                                             ; preds = %entry
  %cosine.b = call float @_Z3cosf(float %b)
  store float %cosine.b, ptr addrspace(1) %to, align 4
  %2 = call <4 x float> @_Z6sincosDv4_fPU9CLprivateS_(<4 x float> %v, ptr %cosine)
  %3 = load <4 x float>, ptr %cosine, align 16
  %product = fmul <4 x float> %2, %3
  store <4 x float> %product, ptr addrspace(1) %to, align 16
  br label %exit

exit:                                             ; preds = %then, %entry
  ret void
}

declare float @_Z6sincosfPU9CLprivatef(float, ptr)

declare <4 x float> @_Z6sincosDv4_fPU9CLprivateS_(<4 x float>, ptr)
