; Components a few components apart, or in descending order, are accessed by whole vectors that are
; shuffled: `z[-i] = x[2 * i] + y[-3 * i]`, `w[2 * i] = z[-i]`.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %z, ptr addrspace(1) %w) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %n = zext nneg i32 %i to i64
  %two = mul nuw nsw i64 %n, 2
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %two
  %a = load float, ptr addrspace(1) %x.at, align 4
  %three = mul nsw i64 %n, -3
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %three
  %b = load float, ptr addrspace(1) %y.at, align 4
  %sum = fadd float %a, %b
  %minus = sub nsw i64 0, %n
  %z.at = getelementptr inbounds float, ptr addrspace(1) %z, i64 %minus
  store float %sum, ptr addrspace(1) %z.at, align 4
  %w.at = getelementptr inbounds float, ptr addrspace(1) %w, i64 %two
  store float %sum, ptr addrspace(1) %w.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %z, ptr addrspace(1) %w) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %34, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = mul nuw nsw i64 %0, 2
  %2 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %1
  %3 = load <4 x float>, ptr addrspace(1) %2, align 4
  %4 = getelementptr i8, ptr addrspace(1) %2, i64 12
  %5 = load <4 x float>, ptr addrspace(1) %4, align 4
  %6 = shufflevector <4 x float> %3, <4 x float> %5, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %7 = shufflevector <8 x float> %6, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 5, i32 7>
  %8 = mul nsw i64 %0, -3
  %9 = getelementptr inbounds float, ptr addrspace(1) %y, i64 %8
  %10 = getelementptr i8, ptr addrspace(1) %9, i64 -36
  %11 = load <4 x float>, ptr addrspace(1) %10, align 4
  %12 = getelementptr i8, ptr addrspace(1) %10, i64 16
  %13 = load <4 x float>, ptr addrspace(1) %12, align 4
  %14 = getelementptr i8, ptr addrspace(1) %10, i64 24
  %15 = load <4 x float>, ptr addrspace(1) %14, align 4
  %16 = shufflevector <4 x float> %11, <4 x float> %13, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %17 = shufflevector <4 x float> %15, <4 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %18 = shufflevector <8 x float> %16, <8 x float> %17, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %19 = shufflevector <16 x float> %18, <16 x float> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
  %20 = shufflevector <12 x float> %19, <12 x float> poison, <4 x i32> <i32 11, i32 6, i32 3, i32 0>
  %21 = fadd <4 x float> %7, %20
  %22 = sub nsw i64 0, %0
  %23 = getelementptr inbounds float, ptr addrspace(1) %z, i64 %22
  %24 = getelementptr i8, ptr addrspace(1) %23, i64 -12
  %25 = shufflevector <4 x float> %21, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x float> %25, ptr addrspace(1) %24, align 4
  %26 = getelementptr inbounds float, ptr addrspace(1) %w, i64 %1
  %27 = extractelement <4 x float> %21, i64 0
  store float %27, ptr addrspace(1) %26, align 4
  %28 = getelementptr i8, ptr addrspace(1) %26, i64 8
  %29 = extractelement <4 x float> %21, i64 1
  store float %29, ptr addrspace(1) %28, align 4
  %30 = getelementptr i8, ptr addrspace(1) %26, i64 16
  %31 = extractelement <4 x float> %21, i64 2
  store float %31, ptr addrspace(1) %30, align 4
  %32 = getelementptr i8, ptr addrspace(1) %26, i64 24
  %33 = extractelement <4 x float> %21, i64 3
  store float %33, ptr addrspace(1) %32, align 4
  %34 = add nuw nsw i32 %x1, 4
  %35 = icmp ult i32 %34, 16
  br i1 %35, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
