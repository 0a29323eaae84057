; Integers of 128 bits are varying: strides are signed 64-bit numbers.
define void @k(i64 %factor, ptr addrspace(1) %to) {
entry:
  %wide_factor = sext i64 %factor to i128
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %negative = sub nsw i64 0, %wide
  %wider = sext i64 %negative to i128
  %product = mul nsw i128 %wider, %wide_factor
  %shifted = lshr i128 %product, 64
  %upper = trunc i128 %shifted to i64
  %place = getelementptr i64, ptr addrspace(1) %to, i64 %wide
  store i64 %upper, ptr addrspace(1) %place, align 8
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(i64 %factor, ptr addrspace(1) %to) {
entry:
  %wide_factor = sext i64 %factor to i128
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %12, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = sub nsw i64 0, %0
  %2 = insertelement <4 x i64> poison, i64 %1, i64 0
  %3 = shufflevector <4 x i64> %2, <4 x i64> poison, <4 x i32> zeroinitializer
  %4 = add <4 x i64> %3, <i64 0, i64 -1, i64 -2, i64 -3>
  %5 = sext <4 x i64> %4 to <4 x i128>
  %6 = insertelement <4 x i128> poison, i128 %wide_factor, i64 0
  %7 = shufflevector <4 x i128> %6, <4 x i128> poison, <4 x i32> zeroinitializer
  %8 = mul nsw <4 x i128> %5, %7
  %9 = lshr <4 x i128> %8, splat (i128 64)
  %10 = trunc <4 x i128> %9 to <4 x i64>
  %11 = getelementptr i64, ptr addrspace(1) %to, i64 %0
  store <4 x i64> %10, ptr addrspace(1) %11, align 8
  %12 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
