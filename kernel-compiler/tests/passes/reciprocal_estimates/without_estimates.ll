; first host
; A host without the estimate divides. The mark goes, which LLVM would take for a permission to estimate with 12 bits.
; The product of x and the reciprocal of its root is the root.
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)
declare double @llvm.sqrt.f64(double)

define <8 x float> @k(<8 x float> %x) {
  %root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
  %y = fdiv arcp <8 x float> splat (float 1.0), %root
  %z = fdiv arcp reassoc <8 x float> splat (float 1.0), %root
  %sum = fadd <8 x float> %y, %z
  ret <8 x float> %sum
}

define double @root(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  %y = fdiv arcp double 1.0, %root
  %z = fmul double %x, %y
  ret double %z
}

; ==== after ====
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #0

define <8 x float> @k(<8 x float> %x) {
  %root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
  %1 = fdiv <8 x float> splat (float 1.000000e+00), %root
  %z = fdiv reassoc arcp <8 x float> splat (float 1.000000e+00), %root
  %sum = fadd <8 x float> %1, %z
  ret <8 x float> %sum
}

define double @root(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  %1 = fdiv double 1.000000e+00, %root
  %z = fmul double %x, %1
  ret double %root
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
