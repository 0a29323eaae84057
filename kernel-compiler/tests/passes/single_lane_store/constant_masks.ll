; A store of one lane becomes scalar; a lane whose mask is undefined takes no part. Stores of several
; lanes, or of lanes that are not known, stay.
declare void @llvm.masked.store.v4i8.p0(<4 x i8>, ptr, <4 x i1>)

define void @k(ptr %to, <4 x i32> %value, <4 x i1> %mask) {
entry:
  %bytes = trunc <4 x i32> %value to <4 x i8>
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> <i1 true, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> <i1 false, i1 undef, i1 true, i1 poison>)
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> %mask)
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i8.p0(<4 x i8>, ptr captures(none), <4 x i1>) #0

define void @k(ptr %to, <4 x i32> %value, <4 x i1> %mask) {
entry:
  %bytes = trunc <4 x i32> %value to <4 x i8>
  %0 = extractelement <4 x i8> %bytes, i64 0
  %1 = getelementptr i8, ptr %to, i64 0
  store i8 %0, ptr %1, align 1
  %2 = extractelement <4 x i8> %bytes, i64 2
  %3 = getelementptr i8, ptr %to, i64 2
  store i8 %2, ptr %3, align 1
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %bytes, ptr align 1 %to, <4 x i1> %mask)
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
