; first host
; The elements of a constant mask have no alignment of the vector, which LLVM gives each of several pointers.
declare void @llvm.masked.store.v4p1.p0(<4 x ptr addrspace(1)>, ptr, <4 x i1>)

define void @k(ptr %to, <4 x ptr addrspace(1)> %kept) {
entry:
  call void @llvm.masked.store.v4p1.p0(<4 x ptr addrspace(1)> %kept, ptr align 32 %to, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4p1.p0(<4 x ptr addrspace(1)>, ptr captures(none), <4 x i1>) #0

define void @k(ptr %to, <4 x ptr addrspace(1)> %kept) {
entry:
  %0 = extractelement <4 x ptr addrspace(1)> %kept, i64 0
  %1 = getelementptr ptr addrspace(1), ptr %to, i64 0
  store ptr addrspace(1) %0, ptr %1, align 1
  %2 = extractelement <4 x ptr addrspace(1)> %kept, i64 1
  %3 = getelementptr ptr addrspace(1), ptr %to, i64 1
  store ptr addrspace(1) %2, ptr %3, align 1
  %4 = extractelement <4 x ptr addrspace(1)> %kept, i64 2
  %5 = getelementptr ptr addrspace(1), ptr %to, i64 2
  store ptr addrspace(1) %4, ptr %5, align 1
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
