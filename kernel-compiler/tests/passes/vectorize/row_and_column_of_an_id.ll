; Row and column of an id by signed division: lanes are consecutive unless a row ends among them.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %width, i32 %pitch) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %row = sdiv i32 %i, %width
  %column = srem i32 %i, %width
  %start = mul nsw i32 %row, %pitch
  %at = add nsw i32 %start, %column
  %index = sext i32 %at to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i32 %i
  store float %a, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %width, i32 %pitch) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %accessed, %entry
  %x1 = phi i32 [ 0, %entry ], [ %54, %accessed ]
  %0 = insertelement <4 x i32> poison, i32 %x1, i64 0
  %1 = shufflevector <4 x i32> %0, <4 x i32> poison, <4 x i32> zeroinitializer
  %2 = add <4 x i32> %1, <i32 0, i32 1, i32 2, i32 3>
  %3 = insertelement <4 x i32> poison, i32 %width, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = sitofp i32 %width to double
  %6 = fdiv double 0x3FF0000000001000, %5
  %7 = insertelement <4 x double> poison, double %6, i64 0
  %8 = shufflevector <4 x double> %7, <4 x double> poison, <4 x i32> zeroinitializer
  %9 = sitofp <4 x i32> %2 to <4 x double>
  %10 = fmul <4 x double> %9, %8
  %11 = fptosi <4 x double> %10 to <4 x i32>
  %12 = sitofp i32 %width to double
  %13 = fdiv double 0x3FF0000000001000, %12
  %14 = insertelement <4 x double> poison, double %13, i64 0
  %15 = shufflevector <4 x double> %14, <4 x double> poison, <4 x i32> zeroinitializer
  %16 = sitofp <4 x i32> %2 to <4 x double>
  %17 = fmul <4 x double> %16, %15
  %18 = fptosi <4 x double> %17 to <4 x i32>
  %19 = mul <4 x i32> %18, %4
  %20 = sub <4 x i32> %2, %19
  %21 = insertelement <4 x i32> poison, i32 %pitch, i64 0
  %22 = shufflevector <4 x i32> %21, <4 x i32> poison, <4 x i32> zeroinitializer
  %23 = mul nsw <4 x i32> %11, %22
  %24 = add nsw <4 x i32> %23, %20
  %25 = sext <4 x i32> %24 to <4 x i64>
  %26 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i64> %25
  %27 = extractelement <4 x i32> %24, i64 0
  %28 = insertelement <4 x i32> poison, i32 %27, i64 0
  %29 = shufflevector <4 x i32> %28, <4 x i32> poison, <4 x i32> zeroinitializer
  %30 = add <4 x i32> %29, <i32 0, i32 1, i32 2, i32 3>
  %31 = icmp eq <4 x i32> %24, %30
  %32 = bitcast <4 x i1> %31 to i4
  %33 = icmp eq i4 %32, -1
  %34 = icmp sle i32 %27, 2147483644
  %35 = sext i32 %27 to i64
  %36 = mul i64 %35, 4
  %37 = getelementptr i8, ptr addrspace(1) %x, i64 %36
  %38 = and i1 %33, %34
  br i1 %38, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %39 = load <4 x float>, ptr addrspace(1) %37, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %40 = extractelement <4 x ptr addrspace(1)> %26, i64 0
  %41 = extractelement <4 x ptr addrspace(1)> %26, i64 1
  %42 = extractelement <4 x ptr addrspace(1)> %26, i64 2
  %43 = extractelement <4 x ptr addrspace(1)> %26, i64 3
  %44 = load float, ptr addrspace(1) %40, align 4
  %45 = load float, ptr addrspace(1) %41, align 4
  %46 = load float, ptr addrspace(1) %42, align 4
  %47 = load float, ptr addrspace(1) %43, align 4
  %48 = insertelement <4 x float> poison, float %44, i64 0
  %49 = insertelement <4 x float> %48, float %45, i64 1
  %50 = insertelement <4 x float> %49, float %46, i64 2
  %51 = insertelement <4 x float> %50, float %47, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %52 = phi <4 x float> [ %39, %whole ], [ %51, %partial ]
  %53 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %52, ptr addrspace(1) %53, align 4
  %54 = add nuw nsw i32 %x1, 4
  %55 = icmp ult i32 %54, 16
  br i1 %55, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
