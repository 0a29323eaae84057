; A work-item loads three neighbouring numbers and stores two: vectors of them are loaded and stored.
; A store between two loads may write what the second one reads.
; lanes: 4
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, ptr addrspace(1) %other) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %first = mul nuw nsw i32 %i, 3
  %first.wide = zext nneg i32 %first to i64
  %first.at = getelementptr inbounds float, ptr addrspace(1) %from, i64 %first.wide
  %red = load float, ptr addrspace(1) %first.at, align 4
  %second = add nuw nsw i32 %first, 1
  %second.wide = zext nneg i32 %second to i64
  %second.at = getelementptr inbounds float, ptr addrspace(1) %from, i64 %second.wide
  %green = load float, ptr addrspace(1) %second.at, align 4
  %third.at = getelementptr inbounds i8, ptr addrspace(1) %first.at, i64 8
  %blue = load float, ptr addrspace(1) %third.at, align 4
  %sum = fadd float %red, %green
  %all = fadd float %sum, %blue
  %double = shl nuw nsw i32 %i, 1
  %odd = add nuw nsw i32 %double, 1
  %odd.wide = zext nneg i32 %odd to i64
  %odd.at = getelementptr inbounds float, ptr addrspace(1) %to, i64 %odd.wide
  store float %all, ptr addrspace(1) %odd.at, align 4
  %even.wide = zext nneg i32 %double to i64
  %even.at = getelementptr inbounds float, ptr addrspace(1) %to, i64 %even.wide
  store float %blue, ptr addrspace(1) %even.at, align 4
  %other.even = getelementptr inbounds float, ptr addrspace(1) %other, i64 %even.wide
  %one = load float, ptr addrspace(1) %other.even, align 4
  %to.further = getelementptr inbounds i8, ptr addrspace(1) %even.at, i64 4096
  store float %one, ptr addrspace(1) %to.further, align 4
  %other.odd = getelementptr inbounds i8, ptr addrspace(1) %other.even, i64 4
  %two = load float, ptr addrspace(1) %other.odd, align 4
  %to.last = getelementptr inbounds i8, ptr addrspace(1) %even.at, i64 4100
  store float %two, ptr addrspace(1) %to.last, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, ptr addrspace(1) %other) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %42, %lanes.x ]
  %0 = mul nuw nsw i32 %x, 3
  %1 = zext nneg i32 %0 to i64
  %2 = getelementptr inbounds float, ptr addrspace(1) %from, i64 %1
  %3 = load <12 x float>, ptr addrspace(1) %2, align 4
  %4 = shufflevector <12 x float> %3, <12 x float> poison, <4 x i32> <i32 0, i32 3, i32 6, i32 9>
  %5 = shufflevector <12 x float> %3, <12 x float> poison, <4 x i32> <i32 1, i32 4, i32 7, i32 10>
  %6 = shufflevector <12 x float> %3, <12 x float> poison, <4 x i32> <i32 2, i32 5, i32 8, i32 11>
  %7 = fadd <4 x float> %4, %5
  %8 = fadd <4 x float> %7, %6
  %9 = shl nuw nsw i32 %x, 1
  %10 = zext nneg i32 %9 to i64
  %11 = getelementptr inbounds float, ptr addrspace(1) %to, i64 %10
  %12 = shufflevector <4 x float> %6, <4 x float> %8, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %13 = shufflevector <8 x float> %12, <8 x float> poison, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x float> %13, ptr addrspace(1) %11, align 4
  %14 = getelementptr inbounds float, ptr addrspace(1) %other, i64 %10
  %15 = load <4 x float>, ptr addrspace(1) %14, align 4
  %16 = getelementptr i8, ptr addrspace(1) %14, i64 12
  %17 = load <4 x float>, ptr addrspace(1) %16, align 4
  %18 = shufflevector <4 x float> %15, <4 x float> %17, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %19 = shufflevector <8 x float> %18, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 5, i32 7>
  %20 = getelementptr inbounds i8, ptr addrspace(1) %11, i64 4096
  %21 = extractelement <4 x float> %19, i64 0
  store float %21, ptr addrspace(1) %20, align 4
  %22 = getelementptr i8, ptr addrspace(1) %20, i64 8
  %23 = extractelement <4 x float> %19, i64 1
  store float %23, ptr addrspace(1) %22, align 4
  %24 = getelementptr i8, ptr addrspace(1) %20, i64 16
  %25 = extractelement <4 x float> %19, i64 2
  store float %25, ptr addrspace(1) %24, align 4
  %26 = getelementptr i8, ptr addrspace(1) %20, i64 24
  %27 = extractelement <4 x float> %19, i64 3
  store float %27, ptr addrspace(1) %26, align 4
  %28 = getelementptr inbounds i8, ptr addrspace(1) %14, i64 4
  %29 = load <4 x float>, ptr addrspace(1) %28, align 4
  %30 = getelementptr i8, ptr addrspace(1) %28, i64 12
  %31 = load <4 x float>, ptr addrspace(1) %30, align 4
  %32 = shufflevector <4 x float> %29, <4 x float> %31, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %33 = shufflevector <8 x float> %32, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 5, i32 7>
  %34 = getelementptr inbounds i8, ptr addrspace(1) %11, i64 4100
  %35 = extractelement <4 x float> %33, i64 0
  store float %35, ptr addrspace(1) %34, align 4
  %36 = getelementptr i8, ptr addrspace(1) %34, i64 8
  %37 = extractelement <4 x float> %33, i64 1
  store float %37, ptr addrspace(1) %36, align 4
  %38 = getelementptr i8, ptr addrspace(1) %34, i64 16
  %39 = extractelement <4 x float> %33, i64 2
  store float %39, ptr addrspace(1) %38, align 4
  %40 = getelementptr i8, ptr addrspace(1) %34, i64 24
  %41 = extractelement <4 x float> %33, i64 3
  store float %41, ptr addrspace(1) %40, align 4
  %42 = add nuw nsw i32 %x, 4
  %43 = icmp ult i32 %42, 16
  br i1 %43, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
