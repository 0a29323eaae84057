; Four components, two of which take a number each, and conversions.
define void @k(ptr %a, ptr %y, <4 x i1> %is.chosen) {
  %all = load <16 x i16>, ptr %a, align 8
  %x = shufflevector <16 x i16> %all, <16 x i16> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %y.of = shufflevector <16 x i16> %all, <16 x i16> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %z = shufflevector <16 x i16> %all, <16 x i16> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %w = shufflevector <16 x i16> %all, <16 x i16> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %wide.x = zext <4 x i16> %x to <4 x i32>
  %wide.y = zext <4 x i16> %y.of to <4 x i32>
  %wide.z = zext <4 x i16> %z to <4 x i32>
  %wide.w = zext <4 x i16> %w to <4 x i32>
  %real.x = uitofp <4 x i32> %wide.x to <4 x float>
  %real.y = uitofp <4 x i32> %wide.y to <4 x float>
  %real.z = uitofp <4 x i32> %wide.z to <4 x float>
  %real.w = uitofp <4 x i32> %wide.w to <4 x float>
  %root.x = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %real.x)
  %root.y = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %real.y)
  %root.z = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %real.z)
  %root.w = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %real.w)
  %chosen.x = select <4 x i1> %is.chosen, <4 x float> %root.x, <4 x float> splat (float 1.0)
  %chosen.y = select <4 x i1> %is.chosen, <4 x float> %root.y, <4 x float> splat (float 2.0)
  %chosen.z = select <4 x i1> %is.chosen, <4 x float> %root.z, <4 x float> splat (float 1.0)
  %chosen.w = select <4 x i1> %is.chosen, <4 x float> %root.w, <4 x float> splat (float 1.0)
  %first = shufflevector <4 x float> %chosen.x, <4 x float> %chosen.y, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %second = shufflevector <4 x float> %chosen.z, <4 x float> %chosen.w, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %result = shufflevector <8 x float> %first, <8 x float> %second, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1, i32 5, i32 9, i32 13, i32 2, i32 6, i32 10, i32 14, i32 3, i32 7, i32 11, i32 15>
  store <16 x float> %result, ptr %y, align 16
  ret void
}

declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)

; ==== after ====
define void @k(ptr %a, ptr %y, <4 x i1> %is.chosen) {
block:
  %all = load <16 x i16>, ptr %a, align 8
  %0 = zext <16 x i16> %all to <16 x i32>
  %1 = uitofp <16 x i32> %0 to <16 x float>
  %2 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %1)
  %3 = shufflevector <4 x i1> %is.chosen, <4 x i1> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3>
  %4 = select <16 x i1> %3, <16 x float> %2, <16 x float> <float 1.000000e+00, float 2.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 2.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 2.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 2.000000e+00, float 1.000000e+00, float 1.000000e+00>
  store <16 x float> %4, ptr %y, align 16
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.sqrt.v4f32(<4 x float>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
