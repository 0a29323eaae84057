; A rounded half becomes a float before an integer; other conversions are right as they are.
declare half @llvm.rint.f16(half)
declare float @llvm.rint.f32(float)
declare half @llvm.floor.f16(half)

define void @k(half %h, float %f, ptr %to) {
entry:
  %rounded = call half @llvm.rint.f16(half %h)
  %byte = fptosi half %rounded to i8
  store i8 %byte, ptr %to, align 1
  %unsigned = fptoui half %rounded to i16
  store i16 %unsigned, ptr %to, align 2
  %below = call half @llvm.floor.f16(half %h)
  %floor = fptosi half %below to i32
  store i32 %floor, ptr %to, align 4
  %rounded.float = call float @llvm.rint.f32(float %f)
  %int = fptosi float %rounded.float to i32
  store i32 %int, ptr %to, align 4
  ret void
}

; ==== after ====
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare half @llvm.rint.f16(half) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.rint.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare half @llvm.floor.f16(half) #0

define void @k(half %h, float %f, ptr %to) {
entry:
  %rounded = call half @llvm.rint.f16(half %h)
  %0 = fpext half %rounded to float
  %byte = fptosi float %0 to i8
  store i8 %byte, ptr %to, align 1
  %1 = fpext half %rounded to float
  %unsigned = fptoui float %1 to i16
  store i16 %unsigned, ptr %to, align 2
  %below = call half @llvm.floor.f16(half %h)
  %floor = fptosi half %below to i32
  store i32 %floor, ptr %to, align 4
  %rounded.float = call float @llvm.rint.f32(float %f)
  %int = fptosi float %rounded.float to i32
  store i32 %int, ptr %to, align 4
  ret void
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
