; OpenCL vectors are split: one load for all lanes, then a vector for each component.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %from = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %wide
  %value = load <2 x float>, ptr addrspace(1) %from, align 8
  %first = extractelement <2 x float> %value, i64 0
  %second = extractelement <2 x float> %value, i64 1
  %product = fmul float %first, %second
  %to = getelementptr float, ptr addrspace(1) %b, i64 %wide
  store float %product, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %7, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %0
  %2 = load <8 x float>, ptr addrspace(1) %1, align 8
  %3 = shufflevector <8 x float> %2, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %4 = shufflevector <8 x float> %2, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %5 = fmul <4 x float> %3, %4
  %6 = getelementptr float, ptr addrspace(1) %b, i64 %0
  store <4 x float> %5, ptr addrspace(1) %6, align 4
  %7 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
