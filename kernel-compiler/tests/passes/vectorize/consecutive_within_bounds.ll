; `x[clamp(i - 1, 0, last)]` is consecutive but at the borders. The 32-bit indices are compared, and
; whether they wrap; the address that another block computes is compared itself.
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
  %x1 = phi i32 [ 0, %entry ], [ %22, %accessed4 ]
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
  %10 = extractelement <4 x i32> %7, i64 0
  %11 = insertelement <4 x i32> poison, i32 %10, i64 0
  %12 = shufflevector <4 x i32> %11, <4 x i32> poison, <4 x i32> zeroinitializer
  %13 = add <4 x i32> %12, <i32 0, i32 1, i32 2, i32 3>
  %14 = icmp eq <4 x i32> %7, %13
  %15 = bitcast <4 x i1> %14 to i4
  %16 = icmp eq i4 %15, -1
  %17 = icmp sle i32 %10, 2147483644
  %18 = sext i32 %10 to i64
  %19 = mul i64 %18, 4
  %20 = getelementptr i8, ptr addrspace(1) %x, i64 %19
  %21 = and i1 %16, %17
  br i1 %21, label %whole, label %partial

accessed4:                                        ; preds = %whole2, %partial3, %accessed
  %22 = add nuw nsw i32 %x1, 4
  %23 = icmp ult i32 %22, 16
  br i1 %23, label %lanes.x, label %done

whole:                                            ; preds = %lanes.x
  %24 = load <4 x float>, ptr addrspace(1) %20, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %25 = extractelement <4 x ptr addrspace(1)> %9, i64 0
  %26 = extractelement <4 x ptr addrspace(1)> %9, i64 1
  %27 = extractelement <4 x ptr addrspace(1)> %9, i64 2
  %28 = extractelement <4 x ptr addrspace(1)> %9, i64 3
  %29 = load float, ptr addrspace(1) %25, align 4
  %30 = load float, ptr addrspace(1) %26, align 4
  %31 = load float, ptr addrspace(1) %27, align 4
  %32 = load float, ptr addrspace(1) %28, align 4
  %33 = insertelement <4 x float> poison, float %29, i64 0
  %34 = insertelement <4 x float> %33, float %30, i64 1
  %35 = insertelement <4 x float> %34, float %31, i64 2
  %36 = insertelement <4 x float> %35, float %32, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %37 = phi <4 x float> [ %24, %whole ], [ %36, %partial ]
  %38 = zext nneg i32 %x1 to i64
  %39 = getelementptr inbounds float, ptr addrspace(1) %y, i64 %38
  store <4 x float> %37, ptr addrspace(1) %39, align 4
  br i1 %twice, label %40, label %accessed4

40:                                               ; preds = %accessed
  %41 = extractelement <4 x ptr addrspace(1)> %9, i64 0
  %42 = getelementptr i8, ptr addrspace(1) %41, <4 x i64> <i64 0, i64 4, i64 8, i64 12>
  %43 = icmp eq <4 x ptr addrspace(1)> %9, %42
  %44 = bitcast <4 x i1> %43 to i4
  %45 = icmp eq i4 %44, -1
  br i1 %45, label %whole2, label %partial3

whole2:                                           ; preds = %40
  store <4 x float> %37, ptr addrspace(1) %41, align 4
  br label %accessed4

partial3:                                         ; preds = %40
  %46 = extractelement <4 x ptr addrspace(1)> %9, i64 0
  %47 = extractelement <4 x float> %37, i64 0
  store float %47, ptr addrspace(1) %46, align 4
  %48 = extractelement <4 x ptr addrspace(1)> %9, i64 1
  %49 = extractelement <4 x float> %37, i64 1
  store float %49, ptr addrspace(1) %48, align 4
  %50 = extractelement <4 x ptr addrspace(1)> %9, i64 2
  %51 = extractelement <4 x float> %37, i64 2
  store float %51, ptr addrspace(1) %50, align 4
  %52 = extractelement <4 x ptr addrspace(1)> %9, i64 3
  %53 = extractelement <4 x float> %37, i64 3
  store float %53, ptr addrspace(1) %52, align 4
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
