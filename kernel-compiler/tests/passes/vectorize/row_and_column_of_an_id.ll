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
  %x1 = phi i32 [ 0, %entry ], [ %63, %accessed ]
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
  %25 = extractelement <4 x i32> %24, i64 0
  %26 = insertelement <4 x i32> poison, i32 %25, i64 0
  %27 = shufflevector <4 x i32> %26, <4 x i32> poison, <4 x i32> zeroinitializer
  %28 = add <4 x i32> %27, <i32 0, i32 1, i32 2, i32 3>
  %29 = icmp eq <4 x i32> %24, %28
  %30 = bitcast <4 x i1> %29 to i4
  %31 = icmp eq i4 %30, -1
  %32 = icmp sle i32 %25, 2147483644
  %33 = sext i32 %25 to i64
  %34 = mul i64 %33, 4
  %35 = getelementptr i8, ptr addrspace(1) %x, i64 %34
  %36 = and i1 %31, %32
  br i1 %36, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %37 = load <4 x float>, ptr addrspace(1) %35, align 4
  br label %accessed

partial:                                          ; preds = %lanes.x
  %38 = xor <4 x i32> %24, splat (i32 -2147483648)
  %39 = bitcast <4 x i32> %38 to <2 x i64>
  %40 = getelementptr i8, ptr addrspace(1) %x, i64 -8589934592
  %41 = extractelement <2 x i64> %39, i64 0
  %42 = and i64 %41, 4294967295
  %43 = getelementptr [4 x i8], ptr addrspace(1) %40, i64 %42
  %44 = extractelement <2 x i64> %39, i64 0
  %45 = lshr i64 %44, 32
  %46 = getelementptr [4 x i8], ptr addrspace(1) %40, i64 %45
  %47 = extractelement <2 x i64> %39, i64 1
  %48 = and i64 %47, 4294967295
  %49 = getelementptr [4 x i8], ptr addrspace(1) %40, i64 %48
  %50 = extractelement <2 x i64> %39, i64 1
  %51 = lshr i64 %50, 32
  %52 = getelementptr [4 x i8], ptr addrspace(1) %40, i64 %51
  %53 = load float, ptr addrspace(1) %43, align 4
  %54 = load float, ptr addrspace(1) %46, align 4
  %55 = load float, ptr addrspace(1) %49, align 4
  %56 = load float, ptr addrspace(1) %52, align 4
  %57 = insertelement <4 x float> poison, float %53, i64 0
  %58 = insertelement <4 x float> %57, float %54, i64 1
  %59 = insertelement <4 x float> %58, float %55, i64 2
  %60 = insertelement <4 x float> %59, float %56, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %61 = phi <4 x float> [ %37, %whole ], [ %60, %partial ]
  %62 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %61, ptr addrspace(1) %62, align 4
  %63 = add nuw nsw i32 %x1, 4
  %64 = icmp ult i32 %63, 16
  br i1 %64, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}
