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
  %x1 = phi i32 [ 0, %entry ], [ %82, %lanes.x ]
  %0 = getelementptr inbounds i32, ptr addrspace(1) %places, i32 %x1
  %1 = load <4 x i32>, ptr addrspace(1) %0, align 4
  %2 = getelementptr inbounds float, ptr addrspace(1) %x, <4 x i32> %1
  %3 = getelementptr inbounds i8, <4 x ptr addrspace(1)> %2, i64 12
  %4 = extractelement <4 x ptr addrspace(1)> %3, i64 0
  %5 = getelementptr i8, ptr addrspace(1) %4, i64 -12
  %6 = extractelement <4 x ptr addrspace(1)> %3, i64 1
  %7 = getelementptr i8, ptr addrspace(1) %6, i64 -12
  %8 = extractelement <4 x ptr addrspace(1)> %3, i64 2
  %9 = getelementptr i8, ptr addrspace(1) %8, i64 -12
  %10 = extractelement <4 x ptr addrspace(1)> %3, i64 3
  %11 = getelementptr i8, ptr addrspace(1) %10, i64 -12
  %12 = load <4 x float>, ptr addrspace(1) %5, align 4
  %13 = load <4 x float>, ptr addrspace(1) %7, align 4
  %14 = load <4 x float>, ptr addrspace(1) %9, align 4
  %15 = load <4 x float>, ptr addrspace(1) %11, align 4
  %16 = shufflevector <4 x float> %12, <4 x float> %13, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %17 = shufflevector <4 x float> %14, <4 x float> %15, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %18 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %19 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %20 = shufflevector <4 x float> %12, <4 x float> %13, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %21 = shufflevector <4 x float> %14, <4 x float> %15, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %22 = shufflevector <4 x float> %20, <4 x float> %21, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %23 = shufflevector <4 x float> %20, <4 x float> %21, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %24 = xor <4 x i32> %1, splat (i32 -2147483648)
  %25 = bitcast <4 x i32> %24 to <2 x i64>
  %26 = getelementptr i8, ptr addrspace(1) %x, i64 -8589934576
  %27 = extractelement <2 x i64> %25, i64 0
  %28 = and i64 %27, 4294967295
  %29 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %28
  %30 = extractelement <2 x i64> %25, i64 0
  %31 = lshr i64 %30, 32
  %32 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %31
  %33 = extractelement <2 x i64> %25, i64 1
  %34 = and i64 %33, 4294967295
  %35 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %34
  %36 = extractelement <2 x i64> %25, i64 1
  %37 = lshr i64 %36, 32
  %38 = getelementptr [4 x i8], ptr addrspace(1) %26, i64 %37
  %39 = load float, ptr addrspace(1) %29, align 4
  %40 = load float, ptr addrspace(1) %32, align 4
  %41 = load float, ptr addrspace(1) %35, align 4
  %42 = load float, ptr addrspace(1) %38, align 4
  %43 = insertelement <4 x float> poison, float %39, i64 0
  %44 = insertelement <4 x float> %43, float %40, i64 1
  %45 = insertelement <4 x float> %44, float %41, i64 2
  %46 = insertelement <4 x float> %45, float %42, i64 3
  %47 = fadd <4 x float> %18, %19
  %48 = fsub <4 x float> %22, %23
  %49 = fmul <4 x float> %47, %48
  %50 = fadd <4 x float> %49, %46
  %51 = xor <4 x i32> %1, splat (i32 -2147483648)
  %52 = bitcast <4 x i32> %51 to <2 x i64>
  %53 = getelementptr i8, ptr addrspace(1) %bytes, i64 -2147483648
  %54 = extractelement <2 x i64> %52, i64 0
  %55 = and i64 %54, 4294967295
  %56 = getelementptr [1 x i8], ptr addrspace(1) %53, i64 %55
  %57 = extractelement <2 x i64> %52, i64 0
  %58 = lshr i64 %57, 32
  %59 = getelementptr [1 x i8], ptr addrspace(1) %53, i64 %58
  %60 = extractelement <2 x i64> %52, i64 1
  %61 = and i64 %60, 4294967295
  %62 = getelementptr [1 x i8], ptr addrspace(1) %53, i64 %61
  %63 = extractelement <2 x i64> %52, i64 1
  %64 = lshr i64 %63, 32
  %65 = getelementptr [1 x i8], ptr addrspace(1) %53, i64 %64
  %66 = load i16, ptr addrspace(1) %56, align 1
  %67 = insertelement <4 x i16> poison, i16 %66, i64 0
  %68 = load i16, ptr addrspace(1) %59, align 1
  %69 = insertelement <4 x i16> %67, i16 %68, i64 1
  %70 = load i16, ptr addrspace(1) %62, align 1
  %71 = insertelement <4 x i16> %69, i16 %70, i64 2
  %72 = load i16, ptr addrspace(1) %65, align 1
  %73 = insertelement <4 x i16> %71, i16 %72, i64 3
  %74 = trunc <4 x i16> %73 to <4 x i8>
  %75 = lshr <4 x i16> %73, splat (i16 8)
  %76 = trunc <4 x i16> %75 to <4 x i8>
  %77 = uitofp <4 x i8> %74 to <4 x float>
  %78 = uitofp <4 x i8> %76 to <4 x float>
  %79 = fdiv <4 x float> %77, %78
  %80 = fadd <4 x float> %50, %79
  %81 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x1
  store <4 x float> %80, ptr addrspace(1) %81, align 4
  %82 = add nuw nsw i32 %x1, 4
  %83 = icmp ult i32 %82, 16
  br i1 %83, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
