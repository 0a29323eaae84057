; first host
; The elements of a constant mask have no alignment of the vector, which LLVM gives each of several pointers.
declare <4 x ptr addrspace(1)> @llvm.masked.load.v4p1.p0(ptr, <4 x i1>, <4 x ptr addrspace(1)>)

define <4 x ptr addrspace(1)> @k(ptr %from) {
entry:
  %kept = call <4 x ptr addrspace(1)> @llvm.masked.load.v4p1.p0(ptr align 32 %from, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x ptr addrspace(1)> poison)
  ret <4 x ptr addrspace(1)> %kept
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x ptr addrspace(1)> @llvm.masked.load.v4p1.p0(ptr captures(none), <4 x i1>, <4 x ptr addrspace(1)>) #0

define <4 x ptr addrspace(1)> @k(ptr %from) {
entry:
  %0 = getelementptr ptr addrspace(1), ptr %from, i64 0
  %1 = load ptr addrspace(1), ptr %0, align 1
  %2 = insertelement <4 x ptr addrspace(1)> poison, ptr addrspace(1) %1, i64 0
  %3 = getelementptr ptr addrspace(1), ptr %from, i64 1
  %4 = load ptr addrspace(1), ptr %3, align 1
  %5 = insertelement <4 x ptr addrspace(1)> %2, ptr addrspace(1) %4, i64 1
  %6 = getelementptr ptr addrspace(1), ptr %from, i64 2
  %7 = load ptr addrspace(1), ptr %6, align 1
  %8 = insertelement <4 x ptr addrspace(1)> %5, ptr addrspace(1) %7, i64 2
  ret <4 x ptr addrspace(1)> %8
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
