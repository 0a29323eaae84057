; Each lane's copy of a private array is as aligned as the array: copies are 16 bytes apart, not 12.
; lanes: 4
define void @k(ptr addrspace(1) %a) {
entry:
  %array = alloca [3 x i32], align 16
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %index = load i32, ptr addrspace(1) %from, align 4
  %long = sext i32 %index to i64
  %element = getelementptr i32, ptr %array, i64 %long
  store i32 %x, ptr %element, align 4
  %value = load i32, ptr %array, align 16
  store i32 %value, ptr addrspace(1) %from, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a) {
entry:
  %lanes.private = alloca [48 x i8], align 16
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %20, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = sext <4 x i32> %2 to <4 x i64>
  %4 = mul <4 x i64> %3, splat (i64 4)
  %5 = insertelement <4 x ptr> poison, ptr %lanes.private, i64 0
  %6 = shufflevector <4 x ptr> %5, <4 x ptr> poison, <4 x i32> zeroinitializer
  %7 = getelementptr i8, <4 x ptr> %6, <4 x i64> <i64 0, i64 4, i64 8, i64 12>
  %8 = getelementptr [4 x i8], <4 x ptr> %7, <4 x i64> %4
  %9 = insertelement <4 x i32> poison, i32 %x1, i64 0
  %10 = shufflevector <4 x i32> %9, <4 x i32> poison, <4 x i32> zeroinitializer
  %11 = add <4 x i32> %10, <i32 0, i32 1, i32 2, i32 3>
  %12 = extractelement <4 x ptr> %8, i64 0
  store i32 %x1, ptr %12, align 4
  %13 = extractelement <4 x ptr> %8, i64 1
  %14 = extractelement <4 x i32> %11, i64 1
  store i32 %14, ptr %13, align 4
  %15 = extractelement <4 x ptr> %8, i64 2
  %16 = extractelement <4 x i32> %11, i64 2
  store i32 %16, ptr %15, align 4
  %17 = extractelement <4 x ptr> %8, i64 3
  %18 = extractelement <4 x i32> %11, i64 3
  store i32 %18, ptr %17, align 4
  %19 = load <4 x i32>, ptr %lanes.private, align 4
  store <4 x i32> %19, ptr addrspace(1) %1, align 4
  %20 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
