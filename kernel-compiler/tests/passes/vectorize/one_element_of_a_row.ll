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
  %x1 = phi i32 [ 0, %entry ], [ %47, %accessed ]
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
  %10 = extractelement <4 x i32> %9, i64 0
  %11 = insertelement <4 x i32> poison, i32 %10, i64 0
  %12 = shufflevector <4 x i32> %11, <4 x i32> poison, <4 x i32> zeroinitializer
  %13 = icmp eq <4 x i32> %9, %12
  %14 = bitcast <4 x i1> %13 to i4
  %15 = icmp eq i4 %14, -1
  %16 = sext i32 %10 to i64
  %17 = mul i64 %16, 4
  %18 = getelementptr i8, ptr addrspace(1) %x, i64 %17
  br i1 %15, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %19 = load float, ptr addrspace(1) %18, align 4
  %20 = insertelement <4 x float> poison, float %19, i64 0
  %21 = shufflevector <4 x float> %20, <4 x float> poison, <4 x i32> zeroinitializer
  br label %accessed

partial:                                          ; preds = %lanes.x
  %22 = xor <4 x i32> %9, splat (i32 -2147483648)
  %23 = bitcast <4 x i32> %22 to <2 x i64>
  %24 = getelementptr i8, ptr addrspace(1) %x, i64 -8589934592
  %25 = extractelement <2 x i64> %23, i64 0
  %26 = and i64 %25, 4294967295
  %27 = getelementptr [4 x i8], ptr addrspace(1) %24, i64 %26
  %28 = extractelement <2 x i64> %23, i64 0
  %29 = lshr i64 %28, 32
  %30 = getelementptr [4 x i8], ptr addrspace(1) %24, i64 %29
  %31 = extractelement <2 x i64> %23, i64 1
  %32 = and i64 %31, 4294967295
  %33 = getelementptr [4 x i8], ptr addrspace(1) %24, i64 %32
  %34 = extractelement <2 x i64> %23, i64 1
  %35 = lshr i64 %34, 32
  %36 = getelementptr [4 x i8], ptr addrspace(1) %24, i64 %35
  %37 = load float, ptr addrspace(1) %27, align 4
  %38 = load float, ptr addrspace(1) %30, align 4
  %39 = load float, ptr addrspace(1) %33, align 4
  %40 = load float, ptr addrspace(1) %36, align 4
  %41 = insertelement <4 x float> poison, float %37, i64 0
  %42 = insertelement <4 x float> %41, float %38, i64 1
  %43 = insertelement <4 x float> %42, float %39, i64 2
  %44 = insertelement <4 x float> %43, float %40, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %45 = phi <4 x float> [ %21, %whole ], [ %44, %partial ]
  %46 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %45, ptr addrspace(1) %46, align 4
  %47 = add nuw nsw i32 %x1, 4
  %48 = icmp ult i32 %47, 16
  br i1 %48, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
