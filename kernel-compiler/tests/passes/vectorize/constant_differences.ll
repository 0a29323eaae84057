; The lanes' addresses differ by constants that are no stride: vectors are loaded and shuffled, or
; runs of adjacent elements are accessed. A sum that does not wrap as a signed number is extended term
; by term; one that may wrap is not.
; lanes: 8
define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %quarter = lshr i32 %i, 2
  %quarter.wide = zext nneg i32 %quarter to i64
  %a.quarter = getelementptr inbounds float, ptr addrspace(3) %a, i64 %quarter.wide
  %repeated = load float, ptr addrspace(3) %a.quarter, align 4
  %row = shl nuw nsw i32 %quarter, 6
  %column = and i32 %i, 3
  %place = or disjoint i32 %row, %column
  %moved = add nsw i32 %place, %n
  %moved.wide = sext i32 %moved to i64
  %b.moved = getelementptr inbounds float, ptr addrspace(1) %b, i64 %moved.wide
  %of.row = load float, ptr addrspace(1) %b.moved, align 4
  %sum = fadd float %repeated, %of.row
  %swapped = xor i32 %i, 3
  %swapped.wide = zext nneg i32 %swapped to i64
  %a.swapped = getelementptr inbounds float, ptr addrspace(3) %a, i64 %swapped.wide
  store float %sum, ptr addrspace(3) %a.swapped, align 4
  %place.wide = zext nneg i32 %place to i64
  %b.place = getelementptr inbounds <2 x float>, ptr addrspace(1) %b, i64 %place.wide
  %pair = load <2 x float>, ptr addrspace(1) %b.place, align 8
  %b.further = getelementptr inbounds i8, ptr addrspace(1) %b.place, i64 4096
  store <2 x float> %pair, ptr addrspace(1) %b.further, align 8
  %may.wrap = add i32 %place, %n
  %may.wrap.wide = zext i32 %may.wrap to i64
  %b.wrapped = getelementptr inbounds float, ptr addrspace(1) %b, i64 %may.wrap.wide
  store float %sum, ptr addrspace(1) %b.wrapped, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %79, %lanes.x ]
  %0 = insertelement <8 x i32> poison, i32 %x, i64 0
  %1 = shufflevector <8 x i32> %0, <8 x i32> poison, <8 x i32> zeroinitializer
  %2 = add <8 x i32> %1, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %3 = lshr <8 x i32> %2, splat (i32 2)
  %4 = zext nneg <8 x i32> %3 to <8 x i64>
  %5 = getelementptr inbounds float, ptr addrspace(3) %a, <8 x i64> %4
  %6 = extractelement <8 x ptr addrspace(3)> %5, i64 0
  %7 = load <2 x float>, ptr addrspace(3) %6, align 4
  %8 = shufflevector <2 x float> %7, <2 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1>
  %9 = shl nuw nsw <8 x i32> %3, splat (i32 6)
  %10 = and <8 x i32> %2, splat (i32 3)
  %11 = or disjoint <8 x i32> %9, %10
  %12 = insertelement <8 x i32> poison, i32 %n, i64 0
  %13 = shufflevector <8 x i32> %12, <8 x i32> poison, <8 x i32> zeroinitializer
  %14 = add nsw <8 x i32> %11, %13
  %15 = sext <8 x i32> %14 to <8 x i64>
  %16 = getelementptr inbounds float, ptr addrspace(1) %b, <8 x i64> %15
  %17 = extractelement <8 x ptr addrspace(1)> %16, i64 0
  %18 = load <4 x float>, ptr addrspace(1) %17, align 4
  %19 = getelementptr i8, ptr addrspace(1) %17, i64 256
  %20 = load <4 x float>, ptr addrspace(1) %19, align 4
  %21 = shufflevector <4 x float> %18, <4 x float> %20, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %22 = fadd <8 x float> %8, %21
  %23 = xor <8 x i32> %2, splat (i32 3)
  %24 = zext nneg <8 x i32> %23 to <8 x i64>
  %25 = getelementptr inbounds float, ptr addrspace(3) %a, <8 x i64> %24
  %26 = extractelement <8 x ptr addrspace(3)> %25, i64 0
  %27 = getelementptr i8, ptr addrspace(3) %26, i64 -12
  %28 = shufflevector <8 x float> %22, <8 x float> poison, <8 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4>
  store <8 x float> %28, ptr addrspace(3) %27, align 4
  %29 = zext nneg <8 x i32> %11 to <8 x i64>
  %30 = getelementptr inbounds <2 x float>, ptr addrspace(1) %b, <8 x i64> %29
  %31 = extractelement <8 x ptr addrspace(1)> %30, i64 0
  %32 = load <8 x float>, ptr addrspace(1) %31, align 4
  %33 = getelementptr i8, ptr addrspace(1) %31, i64 512
  %34 = load <8 x float>, ptr addrspace(1) %33, align 4
  %35 = shufflevector <8 x float> %32, <8 x float> %34, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %36 = shufflevector <16 x float> %35, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %37 = shufflevector <16 x float> %35, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %38 = getelementptr inbounds i8, <8 x ptr addrspace(1)> %30, i64 4096
  %39 = extractelement <8 x ptr addrspace(1)> %38, i64 0
  %40 = shufflevector <8 x float> %36, <8 x float> %37, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %41 = shufflevector <16 x float> %40, <16 x float> poison, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %42 = shufflevector <16 x float> %41, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %42, ptr addrspace(1) %39, align 4
  %43 = shufflevector <16 x float> %41, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %44 = getelementptr i8, ptr addrspace(1) %39, i64 512
  store <8 x float> %43, ptr addrspace(1) %44, align 4
  %45 = add <8 x i32> %11, %13
  %46 = bitcast <8 x i32> %45 to <4 x i64>
  %47 = extractelement <4 x i64> %46, i64 0
  %48 = and i64 %47, 4294967295
  %49 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %48
  %50 = extractelement <8 x float> %22, i64 0
  store float %50, ptr addrspace(1) %49, align 4
  %51 = extractelement <4 x i64> %46, i64 0
  %52 = lshr i64 %51, 32
  %53 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %52
  %54 = extractelement <8 x float> %22, i64 1
  store float %54, ptr addrspace(1) %53, align 4
  %55 = extractelement <4 x i64> %46, i64 1
  %56 = and i64 %55, 4294967295
  %57 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %56
  %58 = extractelement <8 x float> %22, i64 2
  store float %58, ptr addrspace(1) %57, align 4
  %59 = extractelement <4 x i64> %46, i64 1
  %60 = lshr i64 %59, 32
  %61 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %60
  %62 = extractelement <8 x float> %22, i64 3
  store float %62, ptr addrspace(1) %61, align 4
  %63 = extractelement <4 x i64> %46, i64 2
  %64 = and i64 %63, 4294967295
  %65 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %64
  %66 = extractelement <8 x float> %22, i64 4
  store float %66, ptr addrspace(1) %65, align 4
  %67 = extractelement <4 x i64> %46, i64 2
  %68 = lshr i64 %67, 32
  %69 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %68
  %70 = extractelement <8 x float> %22, i64 5
  store float %70, ptr addrspace(1) %69, align 4
  %71 = extractelement <4 x i64> %46, i64 3
  %72 = and i64 %71, 4294967295
  %73 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %72
  %74 = extractelement <8 x float> %22, i64 6
  store float %74, ptr addrspace(1) %73, align 4
  %75 = extractelement <4 x i64> %46, i64 3
  %76 = lshr i64 %75, 32
  %77 = getelementptr [4 x i8], ptr addrspace(1) %b, i64 %76
  %78 = extractelement <8 x float> %22, i64 7
  store float %78, ptr addrspace(1) %77, align 4
  %79 = add nuw nsw i32 %x, 8
  %80 = icmp ult i32 %79, 16
  br i1 %80, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
