; A row starts at a multiple of the lanes: the lower bits of an index count up within a vector, and
; the upper ones are uniform. Bits below those of the lanes vary.
; lanes: 4
define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %lower = and i32 %i, 7
  %lower.wide = zext nneg i32 %lower to i64
  %a.at = getelementptr inbounds float, ptr addrspace(3) %a, i64 %lower.wide
  %value = load float, ptr addrspace(3) %a.at, align 4
  %upper = lshr i32 %i, 3
  %upper.wide = zext nneg i32 %upper to i64
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %upper.wide
  %other = load float, ptr addrspace(1) %b.at, align 4
  %block = and i32 %i, -8
  %block.wide = sext i32 %block to i64
  %b.of = getelementptr inbounds float, ptr addrspace(1) %b, i64 %block.wide
  %first = load float, ptr addrspace(1) %b.of, align 4
  %low = and i32 %i, 1
  %low.wide = zext nneg i32 %low to i64
  %a.low = getelementptr inbounds float, ptr addrspace(3) %a, i64 %low.wide
  %one.of.two = load float, ptr addrspace(3) %a.low, align 4
  %sum = fadd float %value, %other
  %more.sum = fadd float %sum, %first
  %all = fadd float %more.sum, %one.of.two
  %n = zext nneg i32 %i to i64
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %n
  store float %all, ptr addrspace(1) %to, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %31, %lanes.x ]
  %0 = and i32 %x, 7
  %1 = zext nneg i32 %0 to i64
  %2 = getelementptr inbounds float, ptr addrspace(3) %a, i64 %1
  %3 = load <4 x float>, ptr addrspace(3) %2, align 4
  %4 = lshr i32 %x, 3
  %5 = zext nneg i32 %4 to i64
  %6 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %5
  %7 = load float, ptr addrspace(1) %6, align 4
  %8 = and i32 %x, -8
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %9
  %11 = load float, ptr addrspace(1) %10, align 4
  %12 = insertelement <4 x i32> poison, i32 %x, i64 0
  %13 = shufflevector <4 x i32> %12, <4 x i32> poison, <4 x i32> zeroinitializer
  %14 = add <4 x i32> %13, <i32 0, i32 1, i32 2, i32 3>
  %15 = and <4 x i32> %14, splat (i32 1)
  %16 = zext nneg <4 x i32> %15 to <4 x i64>
  %17 = getelementptr inbounds float, ptr addrspace(3) %a, <4 x i64> %16
  %18 = extractelement <4 x ptr addrspace(3)> %17, i64 0
  %19 = load <2 x float>, ptr addrspace(3) %18, align 4
  %20 = load <2 x float>, ptr addrspace(3) %18, align 4
  %21 = shufflevector <2 x float> %19, <2 x float> %20, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %22 = insertelement <4 x float> poison, float %7, i64 0
  %23 = shufflevector <4 x float> %22, <4 x float> poison, <4 x i32> zeroinitializer
  %24 = fadd <4 x float> %3, %23
  %25 = insertelement <4 x float> poison, float %11, i64 0
  %26 = shufflevector <4 x float> %25, <4 x float> poison, <4 x i32> zeroinitializer
  %27 = fadd <4 x float> %24, %26
  %28 = fadd <4 x float> %27, %21
  %29 = zext nneg i32 %x to i64
  %30 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %29
  store <4 x float> %28, ptr addrspace(1) %30, align 4
  %31 = add nuw nsw i32 %x, 4
  %32 = icmp ult i32 %31, 16
  br i1 %32, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
