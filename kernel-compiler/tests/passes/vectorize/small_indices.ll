; Numbers that index a table are extracted several at once, before they become addresses, which need not be in bounds.
; lanes: 4
define void @k(ptr addrspace(1) %table, ptr addrspace(1) %bytes, ptr addrspace(1) %y) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %byte.at = getelementptr inbounds i8, ptr addrspace(1) %bytes, i32 %i
  %byte = load i8, ptr addrspace(1) %byte.at, align 1
  %index = zext i8 %byte to i64
  %at = getelementptr float, ptr addrspace(1) %table, i64 %index
  %value = load float, ptr addrspace(1) %at, align 4
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i32 %i
  store float %value, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %table, ptr addrspace(1) %bytes, ptr addrspace(1) %y) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %30, %lanes.x ]
  %0 = getelementptr inbounds i8, ptr addrspace(1) %bytes, i32 %x
  %1 = load <4 x i8>, ptr addrspace(1) %0, align 1
  %2 = bitcast <4 x i8> %1 to <1 x i32>
  %3 = extractelement <1 x i32> %2, i64 0
  %4 = and i32 %3, 255
  %5 = zext i32 %4 to i64
  %6 = getelementptr [4 x i8], ptr addrspace(1) %table, i64 %5
  %7 = extractelement <1 x i32> %2, i64 0
  %8 = lshr i32 %7, 8
  %9 = and i32 %8, 255
  %10 = zext i32 %9 to i64
  %11 = getelementptr [4 x i8], ptr addrspace(1) %table, i64 %10
  %12 = extractelement <1 x i32> %2, i64 0
  %13 = lshr i32 %12, 16
  %14 = and i32 %13, 255
  %15 = zext i32 %14 to i64
  %16 = getelementptr [4 x i8], ptr addrspace(1) %table, i64 %15
  %17 = extractelement <1 x i32> %2, i64 0
  %18 = lshr i32 %17, 24
  %19 = zext i32 %18 to i64
  %20 = getelementptr [4 x i8], ptr addrspace(1) %table, i64 %19
  %21 = load float, ptr addrspace(1) %6, align 4
  %22 = load float, ptr addrspace(1) %11, align 4
  %23 = load float, ptr addrspace(1) %16, align 4
  %24 = load float, ptr addrspace(1) %20, align 4
  %25 = insertelement <4 x float> poison, float %21, i64 0
  %26 = insertelement <4 x float> %25, float %22, i64 1
  %27 = insertelement <4 x float> %26, float %23, i64 2
  %28 = insertelement <4 x float> %27, float %24, i64 3
  %29 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x
  store <4 x float> %28, ptr addrspace(1) %29, align 4
  %30 = add nuw nsw i32 %x, 4
  %31 = icmp ult i32 %30, 16
  br i1 %31, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
