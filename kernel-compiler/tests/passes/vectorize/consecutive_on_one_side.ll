; `a[x > 0 ? x - 1 : x]`: vectors that lie on one side of the bound load adjacent elements.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %first) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %item ]
  %x = add nsw i32 %first, %i
  %inside = icmp sgt i32 %x, 0
  %before = add nsw i32 %x, -1
  %west = select i1 %inside, i32 %before, i32 %x
  %west.wide = sext i32 %west to i64
  %a.west = getelementptr inbounds float, ptr addrspace(1) %a, i64 %west.wide
  %value = load float, ptr addrspace(1) %a.west, align 4
  %to = zext nneg i32 %i to i64
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %to
  store float %value, ptr addrspace(1) %b.at, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %first) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %accessed, %entry
  %x1 = phi i32 [ 0, %entry ], [ %40, %accessed ]
  %0 = add nsw i32 %first, %x1
  %1 = insertelement <4 x i32> poison, i32 %0, i64 0
  %2 = shufflevector <4 x i32> %1, <4 x i32> poison, <4 x i32> zeroinitializer
  %3 = add <4 x i32> %2, <i32 0, i32 1, i32 2, i32 3>
  %4 = icmp sgt <4 x i32> %3, zeroinitializer
  %5 = add nsw i32 %0, -1
  %6 = insertelement <4 x i32> poison, i32 %5, i64 0
  %7 = shufflevector <4 x i32> %6, <4 x i32> poison, <4 x i32> zeroinitializer
  %8 = add <4 x i32> %7, <i32 0, i32 1, i32 2, i32 3>
  %9 = select <4 x i1> %4, <4 x i32> %8, <4 x i32> %3
  %10 = sext <4 x i32> %9 to <4 x i64>
  %11 = getelementptr inbounds float, ptr addrspace(1) %a, <4 x i64> %10
  %12 = extractelement <4 x i32> %9, i64 0
  %13 = insertelement <4 x i32> poison, i32 %12, i64 0
  %14 = shufflevector <4 x i32> %13, <4 x i32> poison, <4 x i32> zeroinitializer
  %15 = add <4 x i32> %14, <i32 0, i32 1, i32 2, i32 3>
  %16 = icmp eq <4 x i32> %9, %15
  %17 = bitcast <4 x i1> %16 to i4
  %18 = icmp eq i4 %17, -1
  %19 = icmp sle i32 %12, 2147483644
  %20 = sext i32 %12 to i64
  %21 = mul i64 %20, 4
  %22 = getelementptr i8, ptr addrspace(1) %a, i64 %21
  %23 = and i1 %18, %19
  br i1 %23, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %24 = load <4 x float>, ptr addrspace(1) %22, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %25 = extractelement <4 x ptr addrspace(1)> %11, i64 0
  %26 = extractelement <4 x ptr addrspace(1)> %11, i64 1
  %27 = extractelement <4 x ptr addrspace(1)> %11, i64 2
  %28 = extractelement <4 x ptr addrspace(1)> %11, i64 3
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
  %39 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %38
  store <4 x float> %37, ptr addrspace(1) %39, align 4
  %40 = add nuw nsw i32 %x1, 4
  %41 = icmp ult i32 %40, 16
  br i1 %41, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
