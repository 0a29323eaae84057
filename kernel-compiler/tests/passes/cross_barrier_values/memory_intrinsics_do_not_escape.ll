; memset and other memory intrinsics access an array without letting its address escape.
declare void @__mocl3_barrier()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [9 x i32]
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 36, i1 false)
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   nothing
;
; private memory within regions
;   stack       %array = alloca [9 x i32], align 4, 36 bytes

declare void @__mocl3_barrier()

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #0

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %array = alloca [9 x i32], align 4
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 36, i1 false)
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: write) }
