; Where the outcome of `x < 6` changes within a vector, only that vector has a mask.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %latch ]
  %some = icmp ult i32 %x, 6
  br i1 %some, label %write, label %latch

write:
  %wide = zext nneg i32 %x to i64
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %x, ptr addrspace(1) %to, align 4
  br label %latch

latch:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 12
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %5, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = insertelement <4 x i32> poison, i32 %x1, i64 0
  %3 = shufflevector <4 x i32> %2, <4 x i32> poison, <4 x i32> zeroinitializer
  %4 = add <4 x i32> %3, <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %4, ptr addrspace(1) %1, align 4
  %5 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %lanes.x3

lanes.x3:                                         ; preds = %lanes.x, %lanes.x3
  %x4 = phi i32 [ %15, %lanes.x3 ], [ 4, %lanes.x ]
  %6 = insertelement <4 x i32> poison, i32 %x4, i64 0
  %7 = shufflevector <4 x i32> %6, <4 x i32> poison, <4 x i32> zeroinitializer
  %8 = add <4 x i32> %7, <i32 0, i32 1, i32 2, i32 3>
  %9 = icmp ult <4 x i32> %8, splat (i32 6)
  %10 = zext i32 %x4 to i64
  %11 = getelementptr i32, ptr addrspace(1) %a, i64 %10
  %12 = insertelement <4 x i32> poison, i32 %x4, i64 0
  %13 = shufflevector <4 x i32> %12, <4 x i32> poison, <4 x i32> zeroinitializer
  %14 = add <4 x i32> %13, <i32 0, i32 1, i32 2, i32 3>
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %14, ptr addrspace(1) align 4 %11, <4 x i1> %9)
  %15 = add nuw nsw i32 %x4, 4
  %16 = icmp ult i32 %15, 8
  br i1 %16, label %lanes.x3, label %lanes.x5

lanes.x5:                                         ; preds = %lanes.x3, %lanes.x5
  %x6 = phi i32 [ %17, %lanes.x5 ], [ 8, %lanes.x3 ]
  %17 = add nuw nsw i32 %x6, 4
  %18 = icmp ult i32 %17, 12
  br i1 %18, label %lanes.x5, label %done

done:                                             ; preds = %lanes.x5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
