; Each lane loads four floats, two floats and two bytes at an address of its own at once; the fifth float by itself.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %bytes, ptr addrspace(1) %places, ptr addrspace(1) %y) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %place.at = getelementptr inbounds i32, ptr addrspace(1) %places, i32 %i
  %place = load i32, ptr addrspace(1) %place.at, align 4
  %base = getelementptr inbounds float, ptr addrspace(1) %x, i32 %place
  %b.at = getelementptr inbounds i8, ptr addrspace(1) %base, i64 4
  %c.at = getelementptr inbounds i8, ptr addrspace(1) %base, i64 8
  %d.at = getelementptr inbounds i8, ptr addrspace(1) %base, i64 12
  %e.at = getelementptr inbounds i8, ptr addrspace(1) %base, i64 16
  %d = load float, ptr addrspace(1) %d.at, align 4
  %a = load float, ptr addrspace(1) %base, align 4
  %c = load float, ptr addrspace(1) %c.at, align 4
  %b = load float, ptr addrspace(1) %b.at, align 4
  %e = load float, ptr addrspace(1) %e.at, align 4
  %ab = fadd float %a, %b
  %cd = fsub float %c, %d
  %abcd = fmul float %ab, %cd
  %abcde = fadd float %abcd, %e
  %low.at = getelementptr inbounds i8, ptr addrspace(1) %bytes, i32 %place
  %high.at = getelementptr inbounds i8, ptr addrspace(1) %low.at, i64 1
  %low = load i8, ptr addrspace(1) %low.at, align 1
  %high = load i8, ptr addrspace(1) %high.at, align 1
  %low.wide = uitofp i8 %low to float
  %high.wide = uitofp i8 %high to float
  %lh = fdiv float %low.wide, %high.wide
  %all = fadd float %abcde, %lh
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i32 %i
  store float %all, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %bytes, ptr addrspace(1) %places, ptr addrspace(1) %y) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %62, %lanes.x ]
  %0 = getelementptr inbounds i32, ptr addrspace(1) %places, i32 %x1
  %1 = load <4 x i32>, ptr addrspace(1) %0, align 4
  %2 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i32> %1
  %3 = getelementptr inbounds i8, <4 x ptr addrspace(1)> %2, i64 12
  %4 = getelementptr inbounds i8, <4 x ptr addrspace(1)> %2, i64 16
  %5 = extractelement <4 x ptr addrspace(1)> %3, i64 0
  %6 = getelementptr i8, ptr addrspace(1) %5, i64 -12
  %7 = extractelement <4 x ptr addrspace(1)> %3, i64 1
  %8 = getelementptr i8, ptr addrspace(1) %7, i64 -12
  %9 = extractelement <4 x ptr addrspace(1)> %3, i64 2
  %10 = getelementptr i8, ptr addrspace(1) %9, i64 -12
  %11 = extractelement <4 x ptr addrspace(1)> %3, i64 3
  %12 = getelementptr i8, ptr addrspace(1) %11, i64 -12
  %13 = load <4 x float>, ptr addrspace(1) %6, align 4
  %14 = load <4 x float>, ptr addrspace(1) %8, align 4
  %15 = load <4 x float>, ptr addrspace(1) %10, align 4
  %16 = load <4 x float>, ptr addrspace(1) %12, align 4
  %17 = shufflevector <4 x float> %13, <4 x float> %14, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %18 = shufflevector <4 x float> %15, <4 x float> %16, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %19 = shufflevector <4 x float> %17, <4 x float> %18, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %20 = shufflevector <4 x float> %17, <4 x float> %18, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %21 = shufflevector <4 x float> %13, <4 x float> %14, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %22 = shufflevector <4 x float> %15, <4 x float> %16, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %23 = shufflevector <4 x float> %21, <4 x float> %22, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %24 = shufflevector <4 x float> %21, <4 x float> %22, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %25 = extractelement <4 x ptr addrspace(1)> %4, i64 0
  %26 = extractelement <4 x ptr addrspace(1)> %4, i64 1
  %27 = extractelement <4 x ptr addrspace(1)> %4, i64 2
  %28 = extractelement <4 x ptr addrspace(1)> %4, i64 3
  %29 = load float, ptr addrspace(1) %25, align 4
  %30 = load float, ptr addrspace(1) %26, align 4
  %31 = load float, ptr addrspace(1) %27, align 4
  %32 = load float, ptr addrspace(1) %28, align 4
  %33 = insertelement <4 x float> poison, float %29, i64 0
  %34 = insertelement <4 x float> %33, float %30, i64 1
  %35 = insertelement <4 x float> %34, float %31, i64 2
  %36 = insertelement <4 x float> %35, float %32, i64 3
  %37 = fadd <4 x float> %19, %20
  %38 = fsub <4 x float> %23, %24
  %39 = fmul <4 x float> %37, %38
  %40 = fadd <4 x float> %39, %36
  %41 = getelementptr inbounds i8, ptr addrspace(1) %bytes, <4 x i32> %1
  %42 = extractelement <4 x ptr addrspace(1)> %41, i64 0
  %43 = extractelement <4 x ptr addrspace(1)> %41, i64 1
  %44 = extractelement <4 x ptr addrspace(1)> %41, i64 2
  %45 = extractelement <4 x ptr addrspace(1)> %41, i64 3
  %46 = load i16, ptr addrspace(1) %42, align 1
  %47 = insertelement <4 x i16> poison, i16 %46, i64 0
  %48 = load i16, ptr addrspace(1) %43, align 1
  %49 = insertelement <4 x i16> %47, i16 %48, i64 1
  %50 = load i16, ptr addrspace(1) %44, align 1
  %51 = insertelement <4 x i16> %49, i16 %50, i64 2
  %52 = load i16, ptr addrspace(1) %45, align 1
  %53 = insertelement <4 x i16> %51, i16 %52, i64 3
  %54 = trunc <4 x i16> %53 to <4 x i8>
  %55 = lshr <4 x i16> %53, splat (i16 8)
  %56 = trunc <4 x i16> %55 to <4 x i8>
  %57 = uitofp <4 x i8> %54 to <4 x float>
  %58 = uitofp <4 x i8> %56 to <4 x float>
  %59 = fdiv <4 x float> %57, %58
  %60 = fadd <4 x float> %40, %59
  %61 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %60, ptr addrspace(1) %61, align 4
  %62 = add nuw nsw i32 %x1, 4
  %63 = icmp ult i32 %62, 16
  br i1 %63, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
