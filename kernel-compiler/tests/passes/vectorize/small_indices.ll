; Bytes that index a table are extracted before they become addresses, which need not be in bounds.
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
  %x = phi i32 [ 0, %entry ], [ %27, %lanes.x ]
  %0 = getelementptr inbounds i8, ptr addrspace(1) %bytes, i32 %x
  %1 = load <4 x i8>, ptr addrspace(1) %0, align 1
  %2 = extractelement <4 x i8> %1, i64 0
  %3 = zext i8 %2 to i64
  %4 = mul i64 %3, 4
  %5 = getelementptr i8, ptr addrspace(1) %table, i64 %4
  %6 = extractelement <4 x i8> %1, i64 1
  %7 = zext i8 %6 to i64
  %8 = mul i64 %7, 4
  %9 = getelementptr i8, ptr addrspace(1) %table, i64 %8
  %10 = extractelement <4 x i8> %1, i64 2
  %11 = zext i8 %10 to i64
  %12 = mul i64 %11, 4
  %13 = getelementptr i8, ptr addrspace(1) %table, i64 %12
  %14 = extractelement <4 x i8> %1, i64 3
  %15 = zext i8 %14 to i64
  %16 = mul i64 %15, 4
  %17 = getelementptr i8, ptr addrspace(1) %table, i64 %16
  %18 = load float, ptr addrspace(1) %5, align 4
  %19 = load float, ptr addrspace(1) %9, align 4
  %20 = load float, ptr addrspace(1) %13, align 4
  %21 = load float, ptr addrspace(1) %17, align 4
  %22 = insertelement <4 x float> poison, float %18, i64 0
  %23 = insertelement <4 x float> %22, float %19, i64 1
  %24 = insertelement <4 x float> %23, float %20, i64 2
  %25 = insertelement <4 x float> %24, float %21, i64 3
  %26 = getelementptr inbounds float, ptr addrspace(1) %y, i32 %x
  store <4 x float> %25, ptr addrspace(1) %26, align 4
  %27 = add nuw nsw i32 %x, 4
  %28 = icmp ult i32 %27, 16
  br i1 %28, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
