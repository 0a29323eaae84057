; A buffer from which lanes gather is read. A masked store to the one that is written does not read it.
declare <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)>, <16 x i1>, <16 x float>)
declare void @llvm.masked.store.v16f32.p1(<16 x float>, ptr addrspace(1), <16 x i1>)

define void @k(ptr %arguments, ptr %context, <16 x i64> %places, <16 x i1> %mask) {
entry:
  %first = load ptr addrspace(1), ptr %arguments, align 8
  %second_at = getelementptr inbounds i8, ptr %arguments, i64 8
  %second = load ptr addrspace(1), ptr %second_at, align 8
  %addresses = getelementptr float, ptr addrspace(1) %first, <16 x i64> %places
  %value = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %addresses, <16 x i1> splat (i1 true), <16 x float> poison)
  %read = getelementptr float, ptr addrspace(1) %first, i64 16
  store <16 x float> %value, ptr addrspace(1) %read, align 4
  %written = getelementptr float, ptr addrspace(1) %second, i64 16
  store <16 x float> %value, ptr addrspace(1) %written, align 4
  call void @llvm.masked.store.v16f32.p1(<16 x float> %value, ptr addrspace(1) align 4 %written, <16 x i1> %mask)
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)>, <16 x i1>, <16 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p1(<16 x float>, ptr addrspace(1) captures(none), <16 x i1>) #1

define void @k(ptr %arguments, ptr %context, <16 x i64> %places, <16 x i1> %mask) {
entry:
  %0 = getelementptr inbounds i8, ptr %context, i64 224
  %1 = load i64, ptr %0, align 8
  %first = load ptr addrspace(1), ptr %arguments, align 8
  %second_at = getelementptr inbounds i8, ptr %arguments, i64 8
  %second = load ptr addrspace(1), ptr %second_at, align 8
  %addresses = getelementptr float, ptr addrspace(1) %first, <16 x i64> %places
  %value = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %addresses, <16 x i1> splat (i1 true), <16 x float> poison)
  %read = getelementptr float, ptr addrspace(1) %first, i64 16
  store <16 x float> %value, ptr addrspace(1) %read, align 4
  %written = getelementptr float, ptr addrspace(1) %second, i64 16
  %2 = ptrtoint ptr addrspace(1) %written to i64
  %3 = and i64 %2, 63
  %4 = or i64 %3, %1
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %streaming, label %ordinary

streaming:                                        ; preds = %entry
  store <16 x float> %value, ptr addrspace(1) %written, align 64, !nontemporal !0
  br label %after

ordinary:                                         ; preds = %entry
  store <16 x float> %value, ptr addrspace(1) %written, align 4
  br label %after

after:                                            ; preds = %ordinary, %streaming
  call void @llvm.masked.store.v16f32.p1(<16 x float> %value, ptr addrspace(1) align 4 %written, <16 x i1> %mask)
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{i32 1}
