; The lanes of `2 * i - (i & mask)` are consecutive where the uniform mask is large: whole vectors are
; accessed then, and otherwise each lane's address. The store runs under a mask.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %mask) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %n = zext nneg i32 %i to i64
  %two = mul nuw nsw i64 %n, 2
  %low = and i64 %n, %mask
  %index = sub i64 %two, %low
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  %is_positive = fcmp ogt float %a, 0.0
  br i1 %is_positive, label %store, label %next

store:
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %index
  store float %a, ptr addrspace(1) %y.at, align 4
  br label %next

next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %mask) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %accessed5, %entry
  %x1 = phi i32 [ 0, %entry ], [ %41, %accessed5 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = mul nuw nsw i64 %0, 2
  %2 = insertelement <4 x i64> poison, i64 %0, i64 0
  %3 = shufflevector <4 x i64> %2, <4 x i64> poison, <4 x i32> zeroinitializer
  %4 = add <4 x i64> %3, <i64 0, i64 1, i64 2, i64 3>
  %5 = insertelement <4 x i64> poison, i64 %mask, i64 0
  %6 = shufflevector <4 x i64> %5, <4 x i64> poison, <4 x i32> zeroinitializer
  %7 = and <4 x i64> %4, %6
  %8 = insertelement <4 x i64> poison, i64 %1, i64 0
  %9 = shufflevector <4 x i64> %8, <4 x i64> poison, <4 x i32> zeroinitializer
  %10 = add <4 x i64> %9, <i64 0, i64 2, i64 4, i64 6>
  %11 = sub <4 x i64> %10, %7
  %12 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i64> %11
  %13 = extractelement <4 x ptr addrspace(1)> %12, i64 0
  %14 = getelementptr i8, ptr addrspace(1) %13, <4 x i64> <i64 0, i64 4, i64 8, i64 12>
  %15 = icmp eq <4 x ptr addrspace(1)> %12, %14
  %16 = bitcast <4 x i1> %15 to i4
  %17 = icmp eq i4 %16, -1
  br i1 %17, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %18 = load <4 x float>, ptr addrspace(1) %13, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %19 = extractelement <4 x ptr addrspace(1)> %12, i64 0
  %20 = extractelement <4 x ptr addrspace(1)> %12, i64 1
  %21 = extractelement <4 x ptr addrspace(1)> %12, i64 2
  %22 = extractelement <4 x ptr addrspace(1)> %12, i64 3
  %23 = load float, ptr addrspace(1) %19, align 4
  %24 = load float, ptr addrspace(1) %20, align 4
  %25 = load float, ptr addrspace(1) %21, align 4
  %26 = load float, ptr addrspace(1) %22, align 4
  %27 = insertelement <4 x float> poison, float %23, i64 0
  %28 = insertelement <4 x float> %27, float %24, i64 1
  %29 = insertelement <4 x float> %28, float %25, i64 2
  %30 = insertelement <4 x float> %29, float %26, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %31 = phi <4 x float> [ %18, %whole ], [ %30, %partial ]
  %32 = fcmp ogt <4 x float> %31, zeroinitializer
  %33 = getelementptr float, ptr addrspace(1) %y, <4 x i64> %11
  %34 = freeze <4 x ptr addrspace(1)> %33
  %35 = extractelement <4 x ptr addrspace(1)> %34, i64 0
  %36 = getelementptr i8, ptr addrspace(1) %35, <4 x i64> <i64 0, i64 4, i64 8, i64 12>
  %37 = icmp eq <4 x ptr addrspace(1)> %34, %36
  %38 = select <4 x i1> %32, <4 x i1> %37, <4 x i1> splat (i1 true)
  %39 = bitcast <4 x i1> %38 to i4
  %40 = icmp eq i4 %39, -1
  br i1 %40, label %whole3, label %partial4

whole3:                                           ; preds = %accessed
  call void @llvm.masked.store.v4f32.p1(<4 x float> %31, ptr addrspace(1) align 4 %35, <4 x i1> %32)
  br label %accessed5

partial4:                                         ; preds = %accessed
  call void @llvm.masked.scatter.v4f32.v4p1(<4 x float> %31, <4 x ptr addrspace(1)> align 4 %33, <4 x i1> %32)
  br label %accessed5

accessed5:                                        ; preds = %partial4, %whole3
  %41 = add nuw nsw i32 %x1, 4
  %42 = icmp ult i32 %41, 16
  br i1 %42, label %lanes.x, label %done

done:                                             ; preds = %accessed5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1) captures(none), <4 x i1>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4f32.v4p1(<4 x float>, <4 x ptr addrspace(1)>, <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(write) }
