; A row starts at a multiple of the lanes: the lower bits of an index count up within a vector, and
; the upper ones are uniform. Bits below those of the lanes vary. The same of four times the index, whose
; two lowest bits masks leave out.
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
  %bytes = shl nuw nsw i32 %i, 2
  %lower.bytes = and i32 %bytes, 60
  %lower.bytes.wide = zext nneg i32 %lower.bytes to i64
  %a.bytes.at = getelementptr inbounds i8, ptr addrspace(3) %a, i64 %lower.bytes.wide
  %value.at.bytes = load float, ptr addrspace(3) %a.bytes.at, align 4
  %upper.bytes = and i32 %bytes, 4032
  %upper.bytes.wide = zext nneg i32 %upper.bytes to i64
  %b.bytes.at = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %upper.bytes.wide
  %other.at.bytes = load float, ptr addrspace(1) %b.bytes.at, align 4
  %sum.at.bytes = fadd float %value.at.bytes, %other.at.bytes
  %sum.at.elements = fadd float %value, %other
  %sum = fadd float %sum.at.elements, %sum.at.bytes
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
  %x = phi i32 [ 0, %entry ], [ %44, %lanes.x ]
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
  %22 = shl nuw nsw i32 %x, 2
  %23 = and i32 %22, 60
  %24 = zext nneg i32 %23 to i64
  %25 = getelementptr inbounds i8, ptr addrspace(3) %a, i64 %24
  %26 = load <4 x float>, ptr addrspace(3) %25, align 4
  %27 = and i32 %22, 4032
  %28 = zext nneg i32 %27 to i64
  %29 = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %28
  %30 = load float, ptr addrspace(1) %29, align 4
  %31 = insertelement <4 x float> poison, float %30, i64 0
  %32 = shufflevector <4 x float> %31, <4 x float> poison, <4 x i32> zeroinitializer
  %33 = fadd <4 x float> %26, %32
  %34 = insertelement <4 x float> poison, float %7, i64 0
  %35 = shufflevector <4 x float> %34, <4 x float> poison, <4 x i32> zeroinitializer
  %36 = fadd <4 x float> %3, %35
  %37 = fadd <4 x float> %36, %33
  %38 = insertelement <4 x float> poison, float %11, i64 0
  %39 = shufflevector <4 x float> %38, <4 x float> poison, <4 x i32> zeroinitializer
  %40 = fadd <4 x float> %37, %39
  %41 = fadd <4 x float> %40, %21
  %42 = zext nneg i32 %x to i64
  %43 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %42
  store <4 x float> %41, ptr addrspace(1) %43, align 4
  %44 = add nuw nsw i32 %x, 4
  %45 = icmp ult i32 %44, 16
  br i1 %45, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
