; A number that is shifted to the left, added to and shifted back exactly, as LLVM makes of an index that is
; converted to int and back, has the step of its lanes. One that may shift out ones has not.
; lanes: 4
define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b, i64 %any) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %up = shl nuw nsw i64 %i, 32
  %sum = add nuw nsw i64 %up, 8589934592
  %bytes = lshr exact i64 %sum, 30
  %at = getelementptr inbounds nuw i8, ptr addrspace(3) %a, i64 %bytes
  %value = load float, ptr addrspace(3) %at, align 4
  %other.sum = add nuw nsw i64 %up, %any
  %other.bytes = lshr i64 %other.sum, 30
  %other.at = getelementptr inbounds nuw i8, ptr addrspace(3) %a, i64 %other.bytes
  %other = load float, ptr addrspace(3) %other.at, align 4
  %result = fadd float %value, %other
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  store float %result, ptr addrspace(1) %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(3) %a, ptr addrspace(1) %b, i64 %any) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i64 [ 0, %entry ], [ %25, %lanes.x ]
  %0 = shl nuw nsw i64 %x, 32
  %1 = add nuw nsw i64 %0, 8589934592
  %2 = lshr exact i64 %1, 30
  %3 = getelementptr inbounds nuw i8, ptr addrspace(3) %a, i64 %2
  %4 = load <4 x float>, ptr addrspace(3) %3, align 4
  %5 = add nuw nsw i64 %0, %any
  %6 = insertelement <4 x i64> poison, i64 %5, i64 0
  %7 = shufflevector <4 x i64> %6, <4 x i64> poison, <4 x i32> zeroinitializer
  %8 = add <4 x i64> %7, <i64 0, i64 4294967296, i64 8589934592, i64 12884901888>
  %9 = lshr <4 x i64> %8, splat (i64 30)
  %10 = getelementptr inbounds nuw i8, ptr addrspace(3) %a, <4 x i64> %9
  %11 = extractelement <4 x ptr addrspace(3)> %10, i64 0
  %12 = extractelement <4 x ptr addrspace(3)> %10, i64 1
  %13 = extractelement <4 x ptr addrspace(3)> %10, i64 2
  %14 = extractelement <4 x ptr addrspace(3)> %10, i64 3
  %15 = load float, ptr addrspace(3) %11, align 4
  %16 = load float, ptr addrspace(3) %12, align 4
  %17 = load float, ptr addrspace(3) %13, align 4
  %18 = load float, ptr addrspace(3) %14, align 4
  %19 = insertelement <4 x float> poison, float %15, i64 0
  %20 = insertelement <4 x float> %19, float %16, i64 1
  %21 = insertelement <4 x float> %20, float %17, i64 2
  %22 = insertelement <4 x float> %21, float %18, i64 3
  %23 = fadd <4 x float> %4, %22
  %24 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %x
  store <4 x float> %23, ptr addrspace(1) %24, align 4
  %25 = add nuw nsw i64 %x, 4
  %26 = icmp ult i64 %25, 16
  br i1 %26, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
