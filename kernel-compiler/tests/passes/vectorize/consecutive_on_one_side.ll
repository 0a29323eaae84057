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
  %x1 = phi i32 [ 0, %entry ], [ %51, %accessed ]
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
  %10 = freeze i32 %0
  %11 = icmp sle i32 %10, 2147483644
  %12 = icmp sgt i32 %10, 0
  %13 = add i32 %10, 3
  %14 = icmp sgt i32 %13, 0
  %15 = icmp eq i1 %12, %14
  %16 = freeze i32 %5
  %17 = select i1 %12, i32 %16, i32 %10
  %18 = icmp sle i32 %17, 2147483644
  %19 = sext i32 %17 to i64
  %20 = mul i64 %19, 4
  %21 = getelementptr i8, ptr addrspace(1) %a, i64 %20
  %22 = and i1 %11, %15
  %23 = and i1 %22, %18
  br i1 %23, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %24 = load <4 x float>, ptr addrspace(1) %21, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %25 = xor <4 x i32> %9, splat (i32 -2147483648)
  %26 = bitcast <4 x i32> %25 to <2 x i64>
  %27 = getelementptr i8, ptr addrspace(1) %a, i64 -8589934592
  %28 = extractelement <2 x i64> %26, i64 0
  %29 = and i64 %28, 4294967295
  %30 = getelementptr [4 x i8], ptr addrspace(1) %27, i64 %29
  %31 = extractelement <2 x i64> %26, i64 0
  %32 = lshr i64 %31, 32
  %33 = getelementptr [4 x i8], ptr addrspace(1) %27, i64 %32
  %34 = extractelement <2 x i64> %26, i64 1
  %35 = and i64 %34, 4294967295
  %36 = getelementptr [4 x i8], ptr addrspace(1) %27, i64 %35
  %37 = extractelement <2 x i64> %26, i64 1
  %38 = lshr i64 %37, 32
  %39 = getelementptr [4 x i8], ptr addrspace(1) %27, i64 %38
  %40 = load float, ptr addrspace(1) %30, align 4
  %41 = load float, ptr addrspace(1) %33, align 4
  %42 = load float, ptr addrspace(1) %36, align 4
  %43 = load float, ptr addrspace(1) %39, align 4
  %44 = insertelement <4 x float> poison, float %40, i64 0
  %45 = insertelement <4 x float> %44, float %41, i64 1
  %46 = insertelement <4 x float> %45, float %42, i64 2
  %47 = insertelement <4 x float> %46, float %43, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %48 = phi <4 x float> [ %24, %whole ], [ %47, %partial ]
  %49 = zext nneg i32 %x1 to i64
  %50 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %49
  store <4 x float> %48, ptr addrspace(1) %50, align 4
  %51 = add nuw nsw i32 %x1, 4
  %52 = icmp ult i32 %51, 16
  br i1 %52, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
