; Each lane's copy of a private array is as aligned as the array: 16 bytes from one lane's to
; the next one's, not 12.
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
  %lanes.private = alloca [64 x i8], align 16
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %29, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = sext <4 x i32> %2 to <4 x i64>
  %4 = insertelement <4 x ptr> poison, ptr %lanes.private, i64 0
  %5 = shufflevector <4 x ptr> %4, <4 x ptr> poison, <4 x i32> zeroinitializer
  %6 = getelementptr i8, <4 x ptr> %5, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
  %7 = getelementptr i32, <4 x ptr> %6, <4 x i64> %3
  %8 = insertelement <4 x i32> poison, i32 %x1, i64 0
  %9 = shufflevector <4 x i32> %8, <4 x i32> poison, <4 x i32> zeroinitializer
  %10 = add <4 x i32> %9, <i32 0, i32 1, i32 2, i32 3>
  %11 = extractelement <4 x ptr> %7, i64 0
  store i32 %x1, ptr %11, align 4
  %12 = extractelement <4 x ptr> %7, i64 1
  %13 = extractelement <4 x i32> %10, i64 1
  store i32 %13, ptr %12, align 4
  %14 = extractelement <4 x ptr> %7, i64 2
  %15 = extractelement <4 x i32> %10, i64 2
  store i32 %15, ptr %14, align 4
  %16 = extractelement <4 x ptr> %7, i64 3
  %17 = extractelement <4 x i32> %10, i64 3
  store i32 %17, ptr %16, align 4
  %18 = getelementptr i8, ptr %lanes.private, i64 16
  %19 = getelementptr i8, ptr %lanes.private, i64 32
  %20 = getelementptr i8, ptr %lanes.private, i64 48
  %21 = load i32, ptr %lanes.private, align 16
  %22 = load i32, ptr %18, align 16
  %23 = load i32, ptr %19, align 16
  %24 = load i32, ptr %20, align 16
  %25 = insertelement <4 x i32> poison, i32 %21, i64 0
  %26 = insertelement <4 x i32> %25, i32 %22, i64 1
  %27 = insertelement <4 x i32> %26, i32 %23, i64 2
  %28 = insertelement <4 x i32> %27, i32 %24, i64 3
  store <4 x i32> %28, ptr addrspace(1) %1, align 4
  %29 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
