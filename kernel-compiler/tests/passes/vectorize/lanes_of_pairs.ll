; Each lane stores a pair: the pairs are put together in vectors before they are taken out one by one.
; Where lanes store to one place, the last one prevails.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %places) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %a.at = getelementptr inbounds <2 x float>, ptr addrspace(1) %a, i64 %i
  %pair = load <2 x float>, ptr addrspace(1) %a.at, align 8
  %places.at = getelementptr inbounds i64, ptr addrspace(1) %places, i64 %i
  %place = load i64, ptr addrspace(1) %places.at, align 8
  %b.at = getelementptr inbounds <2 x float>, ptr addrspace(1) %b, i64 %place
  store <2 x float> %pair, ptr addrspace(1) %b.at, align 8
  %half = lshr i64 %i, 1
  %a.half = getelementptr inbounds <2 x float>, ptr addrspace(1) %a, i64 %half
  store <2 x float> %pair, ptr addrspace(1) %a.half, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %places) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i64 [ 0, %entry ], [ %28, %lanes.x ]
  %0 = getelementptr inbounds <2 x float>, ptr addrspace(1) %a, i64 %x
  %1 = load <8 x float>, ptr addrspace(1) %0, align 8
  %2 = getelementptr inbounds i64, ptr addrspace(1) %places, i64 %x
  %3 = load <4 x i64>, ptr addrspace(1) %2, align 8
  %4 = getelementptr inbounds <2 x float>, ptr addrspace(1) %b, <4 x i64> %3
  %5 = bitcast <8 x float> %1 to <4 x double>
  %6 = extractelement <4 x ptr addrspace(1)> %4, i64 0
  %7 = extractelement <4 x double> %5, i64 0
  store double %7, ptr addrspace(1) %6, align 8
  %8 = extractelement <4 x ptr addrspace(1)> %4, i64 1
  %9 = extractelement <4 x double> %5, i64 1
  store double %9, ptr addrspace(1) %8, align 8
  %10 = extractelement <4 x ptr addrspace(1)> %4, i64 2
  %11 = extractelement <4 x double> %5, i64 2
  store double %11, ptr addrspace(1) %10, align 8
  %12 = extractelement <4 x ptr addrspace(1)> %4, i64 3
  %13 = extractelement <4 x double> %5, i64 3
  store double %13, ptr addrspace(1) %12, align 8
  %14 = insertelement <4 x i64> poison, i64 %x, i64 0
  %15 = shufflevector <4 x i64> %14, <4 x i64> poison, <4 x i32> zeroinitializer
  %16 = add <4 x i64> %15, <i64 0, i64 1, i64 2, i64 3>
  %17 = lshr <4 x i64> %16, splat (i64 1)
  %18 = getelementptr inbounds <2 x float>, ptr addrspace(1) %a, <4 x i64> %17
  %19 = bitcast <8 x float> %1 to <4 x double>
  %20 = extractelement <4 x ptr addrspace(1)> %18, i64 0
  %21 = extractelement <4 x double> %19, i64 0
  store double %21, ptr addrspace(1) %20, align 8
  %22 = extractelement <4 x ptr addrspace(1)> %18, i64 1
  %23 = extractelement <4 x double> %19, i64 1
  store double %23, ptr addrspace(1) %22, align 8
  %24 = extractelement <4 x ptr addrspace(1)> %18, i64 2
  %25 = extractelement <4 x double> %19, i64 2
  store double %25, ptr addrspace(1) %24, align 8
  %26 = extractelement <4 x ptr addrspace(1)> %18, i64 3
  %27 = extractelement <4 x double> %19, i64 3
  store double %27, ptr addrspace(1) %26, align 8
  %28 = add nuw nsw i64 %x, 4
  %29 = icmp ult i64 %28, 16
  br i1 %29, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
