; Each lane's result is what it would be if the lanes had executed one after another: the old value
; and the operands of the lanes before.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %at) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %value = load i32, ptr addrspace(1) %place, align 4
  %odd = icmp slt i32 %value, 0
  br i1 %odd, label %then, label %end

then:
  %old = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic, align 4
  store i32 %old, ptr addrspace(1) %place, align 4
  br label %end

end:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %at) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %21, %entry
  %x1 = phi i32 [ 0, %entry ], [ %22, %21 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = icmp slt <4 x i32> %2, zeroinitializer
  %4 = bitcast <4 x i1> %3 to i4
  %5 = icmp ne i4 %4, 0
  br i1 %5, label %6, label %21

6:                                                ; preds = %lanes.x
  %7 = bitcast <4 x i1> %3 to i4
  %8 = zext i4 %7 to i32
  %9 = call i32 @llvm.ctpop.i32(i32 %8)
  %10 = zext <4 x i1> %3 to <4 x i8>
  %11 = shufflevector <4 x i8> zeroinitializer, <4 x i8> %10, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %12 = shufflevector <4 x i8> zeroinitializer, <4 x i8> %11, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %13 = add <4 x i8> %12, %11
  %14 = shufflevector <4 x i8> zeroinitializer, <4 x i8> %13, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %15 = add <4 x i8> %14, %13
  %16 = zext <4 x i8> %15 to <4 x i32>
  %17 = atomicrmw add ptr addrspace(1) %at, i32 %9 monotonic, align 4
  %18 = insertelement <4 x i32> poison, i32 %17, i64 0
  %19 = shufflevector <4 x i32> %18, <4 x i32> poison, <4 x i32> zeroinitializer
  %20 = add <4 x i32> %19, %16
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %20, ptr addrspace(1) align 4 %1, <4 x i1> %3)
  br label %21

21:                                               ; preds = %lanes.x, %6
  %22 = add nuw nsw i32 %x1, 4
  %23 = icmp ult i32 %22, 8
  br i1 %23, label %lanes.x, label %done

done:                                             ; preds = %21
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
