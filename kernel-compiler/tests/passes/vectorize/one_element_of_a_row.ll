; Lanes load the same element unless a row ends among them.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %width) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %row = sdiv i32 %i, %width
  %index = sext i32 %row to i64
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

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %width) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %accessed, %entry
  %x1 = phi i32 [ 0, %entry ], [ %38, %accessed ]
  %0 = insertelement <4 x i32> poison, i32 %x1, i64 0
  %1 = shufflevector <4 x i32> %0, <4 x i32> poison, <4 x i32> zeroinitializer
  %2 = add <4 x i32> %1, <i32 0, i32 1, i32 2, i32 3>
  %3 = sitofp i32 %width to double
  %4 = fdiv double 0x3FF0000000001000, %3
  %5 = insertelement <4 x double> poison, double %4, i64 0
  %6 = shufflevector <4 x double> %5, <4 x double> poison, <4 x i32> zeroinitializer
  %7 = sitofp <4 x i32> %2 to <4 x double>
  %8 = fmul <4 x double> %7, %6
  %9 = fptosi <4 x double> %8 to <4 x i32>
  %10 = sext <4 x i32> %9 to <4 x i64>
  %11 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i64> %10
  %12 = extractelement <4 x i32> %9, i64 0
  %13 = insertelement <4 x i32> poison, i32 %12, i64 0
  %14 = shufflevector <4 x i32> %13, <4 x i32> poison, <4 x i32> zeroinitializer
  %15 = icmp eq <4 x i32> %9, %14
  %16 = bitcast <4 x i1> %15 to i4
  %17 = icmp eq i4 %16, -1
  %18 = sext i32 %12 to i64
  %19 = mul i64 %18, 4
  %20 = getelementptr i8, ptr addrspace(1) %x, i64 %19
  br i1 %17, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %21 = load float, ptr addrspace(1) %20, align 4
  %22 = insertelement <4 x float> poison, float %21, i64 0
  %23 = shufflevector <4 x float> %22, <4 x float> poison, <4 x i32> zeroinitializer
  br label %accessed

partial:                                          ; preds = %lanes.x
  %24 = extractelement <4 x ptr addrspace(1)> %11, i64 0
  %25 = extractelement <4 x ptr addrspace(1)> %11, i64 1
  %26 = extractelement <4 x ptr addrspace(1)> %11, i64 2
  %27 = extractelement <4 x ptr addrspace(1)> %11, i64 3
  %28 = load float, ptr addrspace(1) %24, align 4
  %29 = load float, ptr addrspace(1) %25, align 4
  %30 = load float, ptr addrspace(1) %26, align 4
  %31 = load float, ptr addrspace(1) %27, align 4
  %32 = insertelement <4 x float> poison, float %28, i64 0
  %33 = insertelement <4 x float> %32, float %29, i64 1
  %34 = insertelement <4 x float> %33, float %30, i64 2
  %35 = insertelement <4 x float> %34, float %31, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %36 = phi <4 x float> [ %23, %whole ], [ %35, %partial ]
  %37 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %36, ptr addrspace(1) %37, align 4
  %38 = add nuw nsw i32 %x1, 4
  %39 = icmp ult i32 %38, 16
  br i1 %39, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
