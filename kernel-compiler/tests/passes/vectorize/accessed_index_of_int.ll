; An index of 32 bits that is extended might wrap from lane to lane. Where all lanes access the address
; in the block that computes it, it would then leave every object: it is strided. An address that
; only some of them access is not. A sum of the index and a constant is one as well.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %from) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %id = add i64 %i, %from
  %upper = shl i64 %id, 32
  %bytes = ashr exact i64 %upper, 30
  %a.at = getelementptr i8, ptr addrspace(1) %a, i64 %bytes
  %number = load i32, ptr addrspace(1) %a.at, align 4
  %b.at = getelementptr i8, ptr addrspace(1) %b, i64 %bytes
  %index = ashr exact i64 %upper, 32
  %next.index = add nsw i64 %index, 1
  %next.at = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %next.index
  store i32 %number, ptr addrspace(1) %next.at, align 4
  %is.negative = icmp slt i32 %number, 0
  br i1 %is.negative, label %negative, label %next

negative:
  store i32 %number, ptr addrspace(1) %b.at, align 4
  br label %next

next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %from) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i64 [ 0, %entry ], [ %14, %lanes.x ]
  %0 = add i64 %x, %from
  %1 = shl i64 %0, 32
  %2 = insertelement <4 x i64> poison, i64 %1, i64 0
  %3 = shufflevector <4 x i64> %2, <4 x i64> poison, <4 x i32> zeroinitializer
  %4 = add <4 x i64> %3, <i64 0, i64 4294967296, i64 8589934592, i64 12884901888>
  %5 = ashr exact <4 x i64> %4, splat (i64 30)
  %6 = ashr exact i64 %1, 30
  %7 = getelementptr i8, ptr addrspace(1) %a, i64 %6
  %8 = load <4 x i32>, ptr addrspace(1) %7, align 4
  %9 = getelementptr i8, ptr addrspace(1) %b, <4 x i64> %5
  %10 = ashr exact i64 %1, 32
  %11 = add nsw i64 %10, 1
  %12 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %11
  store <4 x i32> %8, ptr addrspace(1) %12, align 4
  %13 = icmp slt <4 x i32> %8, zeroinitializer
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %8, <4 x ptr addrspace(1)> align 4 %9, <4 x i1> %13)
  %14 = add nuw nsw i64 %x, 4
  %15 = icmp ult i64 %14, 16
  br i1 %15, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4i32.v4p1(<4 x i32>, <4 x ptr addrspace(1)>, <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(write) }
