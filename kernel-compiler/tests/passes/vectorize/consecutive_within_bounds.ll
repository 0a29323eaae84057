; `x[clamp(i - 1, 0, last)]` is consecutive but at the borders: scalar code compares the first and the last
; index with the bounds.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %last, i1 %twice) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %before = add nsw i32 %i, -1
  %low = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %index = sext i32 %clamped to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  %n = zext nneg i32 %i to i64
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %n
  store float %a, ptr addrspace(1) %y.at, align 4
  br i1 %twice, label %again, label %next

again:
  store float %a, ptr addrspace(1) %x.at, align 4
  br label %next

next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %last, i1 %twice) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %accessed4, %entry
  %x1 = phi i32 [ 0, %entry ], [ %21, %accessed4 ]
  %0 = add nsw i32 %x1, -1
  %1 = insertelement <4 x i32> poison, i32 %0, i64 0
  %2 = shufflevector <4 x i32> %1, <4 x i32> poison, <4 x i32> zeroinitializer
  %3 = add <4 x i32> %2, <i32 0, i32 1, i32 2, i32 3>
  %4 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %3, <4 x i32> zeroinitializer)
  %5 = insertelement <4 x i32> poison, i32 %last, i64 0
  %6 = shufflevector <4 x i32> %5, <4 x i32> poison, <4 x i32> zeroinitializer
  %7 = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %4, <4 x i32> %6)
  %8 = sext <4 x i32> %7 to <4 x i64>
  %9 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i64> %8
  %10 = freeze i32 %0
  %11 = icmp sle i32 %10, 2147483644
  %12 = icmp sge i32 %10, 0
  %13 = freeze i32 %last
  %14 = add i32 %10, 3
  %15 = icmp sle i32 %14, %13
  %16 = sext i32 %10 to i64
  %17 = mul i64 %16, 4
  %18 = getelementptr i8, ptr addrspace(1) %x, i64 %17
  %19 = and i1 %11, %12
  %20 = and i1 %19, %15
  br i1 %20, label %whole, label %partial

accessed4:                                        ; preds = %whole2, %partial3, %accessed
  %21 = add nuw nsw i32 %x1, 4
  %22 = icmp ult i32 %21, 16
  br i1 %22, label %lanes.x, label %done

whole:                                            ; preds = %lanes.x
  %23 = load <4 x float>, ptr addrspace(1) %18, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %24 = xor <4 x i32> %7, splat (i32 -2147483648)
  %25 = bitcast <4 x i32> %24 to <2 x i64>
  %26 = getelementptr i8, ptr addrspace(1) %x, i64 -8589934592
  %27 = extractelement <2 x i64> %25, i64 0
  %28 = and i64 %27, 4294967295
  %29 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %28
  %30 = extractelement <2 x i64> %25, i64 0
  %31 = lshr i64 %30, 32
  %32 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %31
  %33 = extractelement <2 x i64> %25, i64 1
  %34 = and i64 %33, 4294967295
  %35 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %34
  %36 = extractelement <2 x i64> %25, i64 1
  %37 = lshr i64 %36, 32
  %38 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %37
  %39 = load float, ptr addrspace(1) %29, align 4
  %40 = load float, ptr addrspace(1) %32, align 4
  %41 = load float, ptr addrspace(1) %35, align 4
  %42 = load float, ptr addrspace(1) %38, align 4
  %43 = insertelement <4 x float> poison, float %39, i64 0
  %44 = insertelement <4 x float> %43, float %40, i64 1
  %45 = insertelement <4 x float> %44, float %41, i64 2
  %46 = insertelement <4 x float> %45, float %42, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %47 = phi <4 x float> [ %23, %whole ], [ %46, %partial ]
  %48 = zext nneg i32 %x1 to i64
  %49 = getelementptr inbounds float, ptr addrspace(1) %y, i64 %48
  store <4 x float> %47, ptr addrspace(1) %49, align 4
  br i1 %twice, label %50, label %accessed4

50:                                               ; preds = %accessed
  %51 = extractelement <4 x ptr addrspace(1)> %9, i64 0
  %52 = getelementptr i8, ptr addrspace(1) %51, <4 x i64> <i64 0, i64 4, i64 8, i64 12>
  %53 = icmp eq <4 x ptr addrspace(1)> %9, %52
  %54 = bitcast <4 x i1> %53 to i4
  %55 = icmp eq i4 %54, -1
  br i1 %55, label %whole2, label %partial3

whole2:                                           ; preds = %50
  store <4 x float> %47, ptr addrspace(1) %51, align 4
  br label %accessed4

partial3:                                         ; preds = %50
  %56 = xor <4 x i32> %7, splat (i32 -2147483648)
  %57 = bitcast <4 x i32> %56 to <2 x i64>
  %58 = getelementptr i8, ptr addrspace(1) %x, i64 -8589934592
  %59 = extractelement <2 x i64> %57, i64 0
  %60 = and i64 %59, 4294967295
  %61 = getelementptr [4 x i8], ptr addrspace(1) %58, i64 %60
  %62 = extractelement <4 x float> %47, i64 0
  store float %62, ptr addrspace(1) %61, align 4
  %63 = extractelement <2 x i64> %57, i64 0
  %64 = lshr i64 %63, 32
  %65 = getelementptr [4 x i8], ptr addrspace(1) %58, i64 %64
  %66 = extractelement <4 x float> %47, i64 1
  store float %66, ptr addrspace(1) %65, align 4
  %67 = extractelement <2 x i64> %57, i64 1
  %68 = and i64 %67, 4294967295
  %69 = getelementptr [4 x i8], ptr addrspace(1) %58, i64 %68
  %70 = extractelement <4 x float> %47, i64 2
  store float %70, ptr addrspace(1) %69, align 4
  %71 = extractelement <2 x i64> %57, i64 1
  %72 = lshr i64 %71, 32
  %73 = getelementptr [4 x i8], ptr addrspace(1) %58, i64 %72
  %74 = extractelement <4 x float> %47, i64 3
  store float %74, ptr addrspace(1) %73, align 4
  br label %accessed4

done:                                             ; preds = %accessed4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
