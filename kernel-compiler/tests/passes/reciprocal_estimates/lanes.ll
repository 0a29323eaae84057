; A marked division becomes an estimate and a step, which has more terms for doubles. Vectors of other lengths than the
; host's are filled up or split. Divisions without a mark and those that LLVM may estimate itself stay.
declare float @llvm.sqrt.f32(float)
declare <3 x float> @llvm.sqrt.v3f32(<3 x float>)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <32 x float> @llvm.sqrt.v32f32(<32 x float>)
declare double @llvm.sqrt.f64(double)
declare <8 x double> @llvm.sqrt.v8f64(<8 x double>)

define float @one(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv arcp float 1.0, %root
  ret float %y
}

define <3 x float> @three(<3 x float> %x) {
  %root = call arcp <3 x float> @llvm.sqrt.v3f32(<3 x float> %x)
  %y = fdiv arcp <3 x float> splat (float 1.0), %root
  ret <3 x float> %y
}

define <16 x float> @sixteen(<16 x float> %x) {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %y = fdiv arcp <16 x float> splat (float 1.0), %root
  %z = fadd <16 x float> %root, %y
  ret <16 x float> %z
}

define <32 x float> @thirty_two(<32 x float> %x) {
  %root = call <32 x float> @llvm.sqrt.v32f32(<32 x float> %x)
  %y = fdiv arcp <32 x float> splat (float 1.0), %root
  ret <32 x float> %y
}

define double @double(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  %y = fdiv arcp reassoc double 1.0, %root
  ret double %y
}

define <8 x double> @eight_doubles(<8 x double> %x) {
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %y = fdiv arcp <8 x double> splat (double 1.0), %root
  ret <8 x double> %y
}

define <8 x double> @reciprocals(<8 x double> %x) {
  %y = fdiv arcp <8 x double> splat (double 1.0), %x
  ret <8 x double> %y
}

define double @quotient(double %a, double %b) {
  %y = fdiv arcp reassoc double %a, %b
  ret double %y
}

define float @others(float %x, double %d) {
  %root = call float @llvm.sqrt.f32(float %x)
  %a = fdiv float 1.0, %root
  %b = fdiv float 2.0, %root
  %c = fdiv arcp reassoc float 1.0, %root
  %wide = call double @llvm.sqrt.f64(double %d)
  %e = fdiv double 1.0, %wide
  %f = fptrunc double %e to float
  %ab = fadd float %a, %b
  %cf = fadd float %c, %f
  %all = fadd float %ab, %cf
  ret float %all
}

; ==== after ====
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <3 x float> @llvm.sqrt.v3f32(<3 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <32 x float> @llvm.sqrt.v32f32(<32 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x double> @llvm.sqrt.v8f64(<8 x double>) #0

define float @one(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %1 = insertelement <4 x float> poison, float %x, i64 0
  %2 = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %1, <4 x float> zeroinitializer, i8 -1)
  %3 = extractelement <4 x float> %2, i64 0
  %4 = fmul float %x, %3
  %5 = fneg float %4
  %6 = call float @llvm.fma.f32(float %5, float %3, float 1.000000e+00)
  %7 = fmul float %3, 5.000000e-01
  %8 = call float @llvm.fma.f32(float %7, float %6, float %3)
  %9 = fcmp ord float %6, %6
  %10 = select i1 %9, float %8, float %3
  ret float %10
}

define <3 x float> @three(<3 x float> %x) {
  %root = call arcp <3 x float> @llvm.sqrt.v3f32(<3 x float> %x)
  %1 = shufflevector <3 x float> %x, <3 x float> %x, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %2 = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %1, <4 x float> zeroinitializer, i8 -1)
  %3 = shufflevector <4 x float> %2, <4 x float> %2, <3 x i32> <i32 0, i32 1, i32 2>
  %4 = fmul <3 x float> %x, %3
  %5 = fneg <3 x float> %4
  %6 = call <3 x float> @llvm.fma.v3f32(<3 x float> %5, <3 x float> %3, <3 x float> splat (float 1.000000e+00))
  %7 = fmul <3 x float> %3, splat (float 5.000000e-01)
  %8 = call <3 x float> @llvm.fma.v3f32(<3 x float> %7, <3 x float> %6, <3 x float> %3)
  %9 = fcmp ord <3 x float> %6, %6
  %10 = select <3 x i1> %9, <3 x float> %8, <3 x float> %3
  ret <3 x float> %10
}

define <16 x float> @sixteen(<16 x float> %x) {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %1 = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
  %2 = fmul <16 x float> %x, %1
  %3 = fneg <16 x float> %2
  %4 = call <16 x float> @llvm.fma.v16f32(<16 x float> %3, <16 x float> %1, <16 x float> splat (float 1.000000e+00))
  %5 = fmul <16 x float> %1, splat (float 5.000000e-01)
  %6 = call <16 x float> @llvm.fma.v16f32(<16 x float> %5, <16 x float> %4, <16 x float> %1)
  %7 = fcmp ord <16 x float> %4, %4
  %8 = select <16 x i1> %7, <16 x float> %6, <16 x float> %1
  %z = fadd <16 x float> %root, %8
  ret <16 x float> %z
}

define <32 x float> @thirty_two(<32 x float> %x) {
  %root = call <32 x float> @llvm.sqrt.v32f32(<32 x float> %x)
  %1 = shufflevector <32 x float> %x, <32 x float> %x, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %2 = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %1, <16 x float> zeroinitializer, i16 -1)
  %3 = shufflevector <32 x float> %x, <32 x float> %x, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %4 = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %3, <16 x float> zeroinitializer, i16 -1)
  %5 = shufflevector <16 x float> %2, <16 x float> %4, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %6 = fmul <32 x float> %x, %5
  %7 = fneg <32 x float> %6
  %8 = call <32 x float> @llvm.fma.v32f32(<32 x float> %7, <32 x float> %5, <32 x float> splat (float 1.000000e+00))
  %9 = fmul <32 x float> %5, splat (float 5.000000e-01)
  %10 = call <32 x float> @llvm.fma.v32f32(<32 x float> %9, <32 x float> %8, <32 x float> %5)
  %11 = fcmp ord <32 x float> %8, %8
  %12 = select <32 x i1> %11, <32 x float> %10, <32 x float> %5
  ret <32 x float> %12
}

define double @double(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  %1 = insertelement <2 x double> poison, double %x, i64 0
  %2 = call <2 x double> @llvm.x86.avx512.rsqrt14.pd.128(<2 x double> %1, <2 x double> zeroinitializer, i8 -1)
  %3 = extractelement <2 x double> %2, i64 0
  %4 = fmul double %x, %3
  %5 = fneg double %4
  %6 = call double @llvm.fma.f64(double %5, double %3, double 1.000000e+00)
  %7 = call double @llvm.fma.f64(double 0x3FD1800000000000, double %6, double 3.125000e-01)
  %8 = call double @llvm.fma.f64(double %7, double %6, double 3.750000e-01)
  %9 = call double @llvm.fma.f64(double %8, double %6, double 5.000000e-01)
  %10 = fmul double %3, %9
  %11 = call double @llvm.fma.f64(double %10, double %6, double %3)
  %12 = fcmp ord double %6, %6
  %13 = select i1 %12, double %11, double %3
  ret double %13
}

define <8 x double> @eight_doubles(<8 x double> %x) {
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %1 = call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %x, <8 x double> zeroinitializer, i8 -1)
  %2 = fmul <8 x double> %x, %1
  %3 = fneg <8 x double> %2
  %4 = call <8 x double> @llvm.fma.v8f64(<8 x double> %3, <8 x double> %1, <8 x double> splat (double 1.000000e+00))
  %5 = call <8 x double> @llvm.fma.v8f64(<8 x double> splat (double 0x3FD1800000000000), <8 x double> %4, <8 x double> splat (double 3.125000e-01))
  %6 = call <8 x double> @llvm.fma.v8f64(<8 x double> %5, <8 x double> %4, <8 x double> splat (double 3.750000e-01))
  %7 = call <8 x double> @llvm.fma.v8f64(<8 x double> %6, <8 x double> %4, <8 x double> splat (double 5.000000e-01))
  %8 = fmul <8 x double> %1, %7
  %9 = call <8 x double> @llvm.fma.v8f64(<8 x double> %8, <8 x double> %4, <8 x double> %1)
  %10 = fcmp ord <8 x double> %4, %4
  %11 = select <8 x i1> %10, <8 x double> %9, <8 x double> %1
  ret <8 x double> %11
}

define <8 x double> @reciprocals(<8 x double> %x) {
  %1 = call <8 x double> @llvm.x86.avx512.rcp14.pd.512(<8 x double> %x, <8 x double> zeroinitializer, i8 -1)
  %2 = fneg <8 x double> %x
  %3 = call <8 x double> @llvm.fma.v8f64(<8 x double> %2, <8 x double> %1, <8 x double> splat (double 1.000000e+00))
  %4 = call <8 x double> @llvm.fma.v8f64(<8 x double> splat (double 1.000000e+00), <8 x double> %3, <8 x double> splat (double 1.000000e+00))
  %5 = call <8 x double> @llvm.fma.v8f64(<8 x double> %4, <8 x double> %3, <8 x double> splat (double 1.000000e+00))
  %6 = fmul <8 x double> %1, %5
  %7 = call <8 x double> @llvm.fma.v8f64(<8 x double> %6, <8 x double> %3, <8 x double> %1)
  %8 = fcmp ord <8 x double> %7, %7
  %9 = select <8 x i1> %8, <8 x double> %7, <8 x double> %1
  ret <8 x double> %9
}

define double @quotient(double %a, double %b) {
  %1 = insertelement <2 x double> poison, double %b, i64 0
  %2 = call <2 x double> @llvm.x86.avx512.rcp14.pd.128(<2 x double> %1, <2 x double> zeroinitializer, i8 -1)
  %3 = extractelement <2 x double> %2, i64 0
  %4 = fneg double %b
  %5 = call double @llvm.fma.f64(double %4, double %3, double 1.000000e+00)
  %6 = call double @llvm.fma.f64(double 1.000000e+00, double %5, double 1.000000e+00)
  %7 = call double @llvm.fma.f64(double %6, double %5, double 1.000000e+00)
  %8 = fmul double %3, %7
  %9 = call double @llvm.fma.f64(double %8, double %5, double %3)
  %10 = fcmp ord double %9, %9
  %11 = select i1 %10, double %9, double %3
  %12 = fmul double %a, %11
  ret double %12
}

define float @others(float %x, double %d) {
  %root = call float @llvm.sqrt.f32(float %x)
  %a = fdiv float 1.000000e+00, %root
  %b = fdiv float 2.000000e+00, %root
  %c = fdiv reassoc arcp float 1.000000e+00, %root
  %wide = call double @llvm.sqrt.f64(double %d)
  %e = fdiv double 1.000000e+00, %wide
  %f = fptrunc double %e to float
  %ab = fadd float %a, %b
  %cf = fadd float %c, %f
  %all = fadd float %ab, %cf
  ret float %all
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float>, <4 x float>, i8) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <3 x float> @llvm.fma.v3f32(<3 x float>, <3 x float>, <3 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float>, <16 x float>, i16) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <2 x double> @llvm.x86.avx512.rsqrt14.pd.128(<2 x double>, <2 x double>, i8) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double>, <8 x double>, i8) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x double> @llvm.fma.v8f64(<8 x double>, <8 x double>, <8 x double>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <8 x double> @llvm.x86.avx512.rcp14.pd.512(<8 x double>, <8 x double>, i8) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <2 x double> @llvm.x86.avx512.rcp14.pd.128(<2 x double>, <2 x double>, i8) #1

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
