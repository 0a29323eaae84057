; Lanes that take no part in a scatter, or in a store of bytes, write dummy memory, but of a constant mask nothing. Floats, for
; which the host has a masked store, stay.
declare void @llvm.masked.store.v2i8.p1(<2 x i8>, ptr addrspace(1), <2 x i1>)
declare void @llvm.masked.store.v2f32.p1(<2 x float>, ptr addrspace(1), <2 x i1>)
declare void @llvm.masked.scatter.v2f32.v2p1(<2 x float>, <2 x ptr addrspace(1)>, <2 x i1>)

define void @k(<2 x ptr addrspace(1)> %at, ptr addrspace(1) %to, <2 x i1> %mask, <2 x float> %values, <2 x i8> %bytes) {
entry:
  call void @llvm.masked.scatter.v2f32.v2p1(<2 x float> %values, <2 x ptr addrspace(1)> align 4 %at, <2 x i1> %mask)
  call void @llvm.masked.scatter.v2f32.v2p1(<2 x float> %values, <2 x ptr addrspace(1)> align 4 %at, <2 x i1> splat (i1 true))
  call void @llvm.masked.store.v2f32.p1(<2 x float> %values, ptr addrspace(1) align 4 %to, <2 x i1> %mask)
  call void @llvm.masked.store.v2i8.p1(<2 x i8> %bytes, ptr addrspace(1) align 1 %to, <2 x i1> %mask)
  call void @llvm.masked.store.v2i8.p1(<2 x i8> %bytes, ptr addrspace(1) align 1 %to, <2 x i1> <i1 true, i1 false>)
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v2i8.p1(<2 x i8>, ptr addrspace(1) captures(none), <2 x i1>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v2f32.p1(<2 x float>, ptr addrspace(1) captures(none), <2 x i1>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v2f32.v2p1(<2 x float>, <2 x ptr addrspace(1)>, <2 x i1>) #1

define void @k(<2 x ptr addrspace(1)> %at, ptr addrspace(1) %to, <2 x i1> %mask, <2 x float> %values, <2 x i8> %bytes) {
entry:
  %somewhere1 = alloca i8, align 1
  %somewhere = alloca float, align 4
  %0 = addrspacecast ptr %somewhere to ptr addrspace(1)
  %1 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %0, i64 0
  %2 = shufflevector <2 x ptr addrspace(1)> %1, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer
  %3 = select <2 x i1> %mask, <2 x ptr addrspace(1)> %at, <2 x ptr addrspace(1)> %2
  %4 = extractelement <2 x float> %values, i64 0
  %5 = extractelement <2 x ptr addrspace(1)> %3, i64 0
  store float %4, ptr addrspace(1) %5, align 1
  %6 = extractelement <2 x float> %values, i64 1
  %7 = extractelement <2 x ptr addrspace(1)> %3, i64 1
  store float %6, ptr addrspace(1) %7, align 1
  call void @llvm.masked.scatter.v2f32.v2p1(<2 x float> %values, <2 x ptr addrspace(1)> align 4 %at, <2 x i1> splat (i1 true))
  call void @llvm.masked.store.v2f32.p1(<2 x float> %values, ptr addrspace(1) align 4 %to, <2 x i1> %mask)
  %8 = bitcast <2 x i1> %mask to i2
  %9 = icmp eq i2 %8, -1
  br i1 %9, label %whole, label %not_whole

whole:                                            ; preds = %entry
  store <2 x i8> %bytes, ptr addrspace(1) %to, align 1
  br label %after

not_whole:                                        ; preds = %entry
  %10 = bitcast <2 x i1> %mask to i2
  %11 = icmp eq i2 %10, 0
  br i1 %11, label %after, label %partly

partly:                                           ; preds = %not_whole
  %12 = addrspacecast ptr %somewhere1 to ptr addrspace(1)
  %13 = getelementptr i8, ptr addrspace(1) %to, i64 0
  %14 = extractelement <2 x i1> %mask, i64 0
  %15 = select i1 %14, ptr addrspace(1) %13, ptr addrspace(1) %12
  %16 = extractelement <2 x i8> %bytes, i64 0
  store i8 %16, ptr addrspace(1) %15, align 1
  %17 = getelementptr i8, ptr addrspace(1) %to, i64 1
  %18 = extractelement <2 x i1> %mask, i64 1
  %19 = select i1 %18, ptr addrspace(1) %17, ptr addrspace(1) %12
  %20 = extractelement <2 x i8> %bytes, i64 1
  store i8 %20, ptr addrspace(1) %19, align 1
  br label %after

after:                                            ; preds = %partly, %not_whole, %whole
  %21 = extractelement <2 x i8> %bytes, i64 0
  %22 = getelementptr i8, ptr addrspace(1) %to, i64 0
  store i8 %21, ptr addrspace(1) %22, align 1
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(write) }
