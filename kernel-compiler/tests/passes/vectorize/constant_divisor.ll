; A constant divisor stays constant under a mask, so that LLVM can multiply by its reciprocal.
; lanes: 4
define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.end ]
  %number = zext nneg i32 %i to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %number
  %value = load i32, ptr addrspace(1) %at, align 4
  %guard = icmp slt i32 %value, %n
  br i1 %guard, label %then, label %region0.end

then:
  %quotient = sdiv i32 %value, 6
  store i32 %quotient, ptr addrspace(1) %at, align 4
  br label %region0.end

region0.end:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %7, %lanes.x ]
  %0 = zext nneg i32 %x to i64
  %1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = insertelement <4 x i32> poison, i32 %n, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = icmp slt <4 x i32> %2, %4
  %6 = sdiv <4 x i32> %2, splat (i32 6)
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %6, ptr addrspace(1) align 4 %1, <4 x i1> %5)
  %7 = add nuw nsw i32 %x, 4
  %8 = icmp ult i32 %7, 16
  br i1 %8, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
