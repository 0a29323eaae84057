; A gather loads element by element, from dummy memory for inactive lanes; a store is unmasked if all lanes
; are active, and skipped if none is; a scatter of all lanes stores one element after the other.
declare <2 x float> @llvm.masked.gather.v2f32.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, <2 x float>)
declare void @llvm.masked.store.v2f32.p1(<2 x float>, ptr addrspace(1), <2 x i1>)
declare void @llvm.masked.scatter.v2f32.v2p1(<2 x float>, <2 x ptr addrspace(1)>, <2 x i1>)

define void @k(<2 x ptr addrspace(1)> %from, ptr addrspace(1) %to, <2 x i1> %mask, <2 x float> %else) {
entry:
  %some = call <2 x float> @llvm.masked.gather.v2f32.v2p1(<2 x ptr addrspace(1)> align 4 %from, <2 x i1> %mask, <2 x float> %else)
  %all = call <2 x float> @llvm.masked.gather.v2f32.v2p1(<2 x ptr addrspace(1)> align 4 %from, <2 x i1> splat (i1 true), <2 x float> poison)
  %sum = fadd <2 x float> %some, %all
  call void @llvm.masked.store.v2f32.p1(<2 x float> %sum, ptr addrspace(1) align 4 %to, <2 x i1> %mask)
  call void @llvm.masked.scatter.v2f32.v2p1(<2 x float> %sum, <2 x ptr addrspace(1)> align 4 %from, <2 x i1> splat (i1 true))
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <2 x float> @llvm.masked.gather.v2f32.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, <2 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v2f32.p1(<2 x float>, ptr addrspace(1) captures(none), <2 x i1>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v2f32.v2p1(<2 x float>, <2 x ptr addrspace(1)>, <2 x i1>) #2

define void @k(<2 x ptr addrspace(1)> %from, ptr addrspace(1) %to, <2 x i1> %mask, <2 x float> %else) {
entry:
  %somewhere = alloca float, align 4
  %0 = addrspacecast ptr %somewhere to ptr addrspace(1)
  %1 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %0, i64 0
  %2 = shufflevector <2 x ptr addrspace(1)> %1, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer
  %3 = select <2 x i1> %mask, <2 x ptr addrspace(1)> %from, <2 x ptr addrspace(1)> %2
  %4 = extractelement <2 x ptr addrspace(1)> %3, i64 0
  %5 = load float, ptr addrspace(1) %4, align 1
  %6 = insertelement <2 x float> poison, float %5, i64 0
  %7 = extractelement <2 x ptr addrspace(1)> %3, i64 1
  %8 = load float, ptr addrspace(1) %7, align 1
  %9 = insertelement <2 x float> %6, float %8, i64 1
  %10 = select <2 x i1> %mask, <2 x float> %9, <2 x float> %else
  %11 = extractelement <2 x ptr addrspace(1)> %from, i64 0
  %12 = load float, ptr addrspace(1) %11, align 1
  %13 = insertelement <2 x float> poison, float %12, i64 0
  %14 = extractelement <2 x ptr addrspace(1)> %from, i64 1
  %15 = load float, ptr addrspace(1) %14, align 1
  %16 = insertelement <2 x float> %13, float %15, i64 1
  %sum = fadd <2 x float> %10, %16
  %17 = bitcast <2 x i1> %mask to i2
  %18 = icmp eq i2 %17, -1
  br i1 %18, label %whole, label %not_whole

whole:                                            ; preds = %entry
  store <2 x float> %sum, ptr addrspace(1) %to, align 1
  br label %after

not_whole:                                        ; preds = %entry
  %19 = bitcast <2 x i1> %mask to i2
  %20 = icmp eq i2 %19, 0
  br i1 %20, label %after, label %partly

partly:                                           ; preds = %not_whole
  call void @llvm.masked.store.v2f32.p1(<2 x float> %sum, ptr addrspace(1) align 4 %to, <2 x i1> %mask)
  br label %after

after:                                            ; preds = %partly, %not_whole, %whole
  %21 = extractelement <2 x float> %sum, i64 0
  %22 = extractelement <2 x ptr addrspace(1)> %from, i64 0
  store float %21, ptr addrspace(1) %22, align 1
  %23 = extractelement <2 x float> %sum, i64 1
  %24 = extractelement <2 x ptr addrspace(1)> %from, i64 1
  store float %23, ptr addrspace(1) %24, align 1
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(write) }
