; Inactive lanes of a gather load from dummy memory that has the load's alignment.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %value = load i32, ptr addrspace(1) %place, align 4
  %positive = icmp sgt i32 %value, 0
  br i1 %positive, label %then, label %end

then:
  %number = zext nneg i32 %value to i64
  %from = getelementptr [16 x i8], ptr addrspace(1) %b, i64 %number
  %small = load i16, ptr addrspace(1) %from, align 16
  %larger = zext i16 %small to i32
  store i32 %larger, ptr addrspace(1) %place, align 4
  br label %end

end:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %dummy = alloca i16, align 16
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %23, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = icmp sgt <4 x i32> %2, zeroinitializer
  %4 = zext nneg <4 x i32> %2 to <4 x i64>
  %5 = getelementptr [16 x i8], ptr addrspace(1) %b, <4 x i64> %4
  %6 = addrspacecast ptr %dummy to ptr addrspace(1)
  %7 = insertelement <4 x ptr addrspace(1)> poison, ptr addrspace(1) %6, i64 0
  %8 = shufflevector <4 x ptr addrspace(1)> %7, <4 x ptr addrspace(1)> poison, <4 x i32> zeroinitializer
  %9 = select <4 x i1> %3, <4 x ptr addrspace(1)> %5, <4 x ptr addrspace(1)> %8
  %10 = extractelement <4 x ptr addrspace(1)> %9, i64 0
  %11 = extractelement <4 x ptr addrspace(1)> %9, i64 1
  %12 = extractelement <4 x ptr addrspace(1)> %9, i64 2
  %13 = extractelement <4 x ptr addrspace(1)> %9, i64 3
  %14 = load i16, ptr addrspace(1) %10, align 16
  %15 = load i16, ptr addrspace(1) %11, align 16
  %16 = load i16, ptr addrspace(1) %12, align 16
  %17 = load i16, ptr addrspace(1) %13, align 16
  %18 = insertelement <4 x i16> poison, i16 %14, i64 0
  %19 = insertelement <4 x i16> %18, i16 %15, i64 1
  %20 = insertelement <4 x i16> %19, i16 %16, i64 2
  %21 = insertelement <4 x i16> %20, i16 %17, i64 3
  %22 = zext <4 x i16> %21 to <4 x i32>
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %22, ptr addrspace(1) align 4 %1, <4 x i1> %3)
  %23 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
