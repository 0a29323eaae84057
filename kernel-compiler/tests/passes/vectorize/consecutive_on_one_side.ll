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
  %x1 = phi i32 [ 0, %entry ], [ %42, %accessed ]
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
  %12 = freeze i32 %0
  %13 = icmp sle i32 %12, 2147483644
  %14 = icmp sgt i32 %12, 0
  %15 = add i32 %12, 3
  %16 = icmp sgt i32 %15, 0
  %17 = icmp eq i1 %14, %16
  %18 = freeze i32 %5
  %19 = select i1 %14, i32 %18, i32 %12
  %20 = icmp sle i32 %19, 2147483644
  %21 = sext i32 %19 to i64
  %22 = mul i64 %21, 4
  %23 = getelementptr i8, ptr addrspace(1) %a, i64 %22
  %24 = and i1 %13, %17
  %25 = and i1 %24, %20
  br i1 %25, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %26 = load <4 x float>, ptr addrspace(1) %23, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %27 = extractelement <4 x ptr addrspace(1)> %11, i64 0
  %28 = extractelement <4 x ptr addrspace(1)> %11, i64 1
  %29 = extractelement <4 x ptr addrspace(1)> %11, i64 2
  %30 = extractelement <4 x ptr addrspace(1)> %11, i64 3
  %31 = load float, ptr addrspace(1) %27, align 4
  %32 = load float, ptr addrspace(1) %28, align 4
  %33 = load float, ptr addrspace(1) %29, align 4
  %34 = load float, ptr addrspace(1) %30, align 4
  %35 = insertelement <4 x float> poison, float %31, i64 0
  %36 = insertelement <4 x float> %35, float %32, i64 1
  %37 = insertelement <4 x float> %36, float %33, i64 2
  %38 = insertelement <4 x float> %37, float %34, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %39 = phi <4 x float> [ %26, %whole ], [ %38, %partial ]
  %40 = zext nneg i32 %x1 to i64
  %41 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %40
  store <4 x float> %39, ptr addrspace(1) %41, align 4
  %42 = add nuw nsw i32 %x1, 4
  %43 = icmp ult i32 %42, 16
  br i1 %43, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
