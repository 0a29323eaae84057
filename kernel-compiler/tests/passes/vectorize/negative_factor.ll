; `a[19 - 6 * i]` over `uint`: LLVM cuts the factor to 32 bits, of a number with 64. Lanes are 6
; elements apart, in descending order.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.work_item ]
  %n = zext nneg i32 %i to i64
  %scaled = mul i64 %n, 4294967290
  %sum = add i64 %scaled, 19
  %narrow = trunc i64 %sum to i32
  %index = sext i32 %narrow to i64
  %a.at = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %index
  %value = load i64, ptr addrspace(1) %a.at, align 8
  %b.at = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %n
  store i64 %value, ptr addrspace(1) %b.at, align 8
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 4, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %18, %lanes.x ]
  %0 = zext nneg i32 %x to i64
  %1 = mul i64 %0, 4294967290
  %2 = add i64 %1, 19
  %3 = trunc i64 %2 to i32
  %4 = sext i32 %3 to i64
  %5 = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %4
  %6 = getelementptr i8, ptr addrspace(1) %5, i64 -48
  %7 = getelementptr i8, ptr addrspace(1) %5, i64 -96
  %8 = getelementptr i8, ptr addrspace(1) %5, i64 -144
  %9 = load i64, ptr addrspace(1) %5, align 8
  %10 = load i64, ptr addrspace(1) %6, align 8
  %11 = load i64, ptr addrspace(1) %7, align 8
  %12 = load i64, ptr addrspace(1) %8, align 8
  %13 = insertelement <4 x i64> poison, i64 %9, i64 0
  %14 = insertelement <4 x i64> %13, i64 %10, i64 1
  %15 = insertelement <4 x i64> %14, i64 %11, i64 2
  %16 = insertelement <4 x i64> %15, i64 %12, i64 3
  %17 = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %0
  store <4 x i64> %16, ptr addrspace(1) %17, align 8
  %18 = add nuw nsw i32 %x, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
