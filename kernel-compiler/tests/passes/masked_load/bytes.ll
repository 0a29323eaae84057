; Bytes that a mask names are loaded as a whole vector, if an active lane reads from the page that all of them are in. A loop's
; header stays the header. The elements of a constant mask are loaded one by one. Floats, for which the host has an instruction, stay.
declare <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1), <16 x i1>, <16 x i8>)
declare <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1), <8 x i1>, <8 x float>)

define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, <16 x i1> %first, <16 x i8> %value) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %mask = phi <16 x i1> [ %first, %entry ], [ %same, %loop ]
  %address = getelementptr i8, ptr addrspace(1) %from, i64 %i
  %bytes = call <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1) align 1 %address, <16 x i1> %mask, <16 x i8> %value)
  %same = icmp eq <16 x i8> %bytes, %value
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done

done:
  %edge = call <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1) align 1 %from, <16 x i1> <i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, <16 x i8> poison)
  store <16 x i8> %edge, ptr addrspace(1) %to, align 1
  %narrow = shufflevector <16 x i1> %same, <16 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %floats = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) align 4 %from, <8 x i1> %narrow, <8 x float> poison)
  store <8 x float> %floats, ptr addrspace(1) %to, align 4
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1) captures(none), <16 x i1>, <16 x i8>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) captures(none), <8 x i1>, <8 x float>) #0

define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, <16 x i1> %first, <16 x i8> %value) {
entry:
  br label %loop

loop:                                             ; preds = %after, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %after ]
  %mask = phi <16 x i1> [ %first, %entry ], [ %same, %after ]
  %address = getelementptr i8, ptr addrspace(1) %from, i64 %i
  %0 = bitcast <16 x i1> %mask to i16
  %1 = icmp ne i16 %0, 0
  br i1 %1, label %some, label %after

some:                                             ; preds = %loop
  %2 = ptrtoint ptr addrspace(1) %address to i64
  %3 = and i64 %2, 4095
  %4 = icmp ule i64 %3, 4080
  br i1 %4, label %whole, label %partly

whole:                                            ; preds = %some
  %5 = load <16 x i8>, ptr addrspace(1) %address, align 1
  %6 = select <16 x i1> %mask, <16 x i8> %5, <16 x i8> %value
  br label %after

partly:                                           ; preds = %some
  %bytes = call <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1) align 1 %address, <16 x i1> %mask, <16 x i8> %value)
  br label %after

after:                                            ; preds = %partly, %whole, %loop
  %7 = phi <16 x i8> [ %value, %loop ], [ %6, %whole ], [ %bytes, %partly ]
  %same = icmp eq <16 x i8> %7, %value
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done

done:                                             ; preds = %after
  %8 = getelementptr i8, ptr addrspace(1) %from, i64 0
  %9 = load i8, ptr addrspace(1) %8, align 1
  %10 = insertelement <16 x i8> poison, i8 %9, i64 0
  %11 = getelementptr i8, ptr addrspace(1) %from, i64 1
  %12 = load i8, ptr addrspace(1) %11, align 1
  %13 = insertelement <16 x i8> %10, i8 %12, i64 1
  store <16 x i8> %13, ptr addrspace(1) %to, align 1
  %narrow = shufflevector <16 x i1> %same, <16 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %floats = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) align 4 %from, <8 x i1> %narrow, <8 x float> poison)
  store <8 x float> %floats, ptr addrspace(1) %to, align 4
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
