; `or disjoint` becomes an addition where lane 0 may be inactive: there its operands may have
; common bits.
; lanes: 4
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %before = add nsw i32 %x, -2
  %inside = icmp ult i32 %before, 8
  br i1 %inside, label %take, label %end

take:
  %row = shl nsw i32 %x, 3
  %number = or disjoint i32 %row, %before
  %wide = sext i32 %number to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %wide
  store i32 1, ptr addrspace(1) %to, align 4
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

define void @k(ptr addrspace(1) %a) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %20, %lanes.x ]
  %0 = add nsw i32 %x1, -2
  %1 = insertelement <4 x i32> poison, i32 %0, i64 0
  %2 = shufflevector <4 x i32> %1, <4 x i32> poison, <4 x i32> zeroinitializer
  %3 = add <4 x i32> %2, <i32 0, i32 1, i32 2, i32 3>
  %4 = icmp ult <4 x i32> %3, splat (i32 8)
  %5 = shl i32 %x1, 3
  %6 = add i32 %5, %0
  %7 = bitcast <4 x i1> %4 to i4
  %8 = call i4 @llvm.cttz.i4(i4 %7, i1 false)
  %9 = zext i4 %8 to i64
  %10 = trunc i64 %9 to i32
  %11 = mul i32 %10, 9
  %12 = add i32 %6, %11
  %13 = sext i32 %12 to i64
  %14 = mul i64 %9, 9
  %15 = sub i64 %13, %14
  %16 = getelementptr i32, ptr addrspace(1) %a, i64 %15
  %17 = insertelement <4 x ptr addrspace(1)> poison, ptr addrspace(1) %16, i64 0
  %18 = shufflevector <4 x ptr addrspace(1)> %17, <4 x ptr addrspace(1)> poison, <4 x i32> zeroinitializer
  %19 = getelementptr i8, <4 x ptr addrspace(1)> %18, <4 x i64> <i64 0, i64 36, i64 72, i64 108>
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> splat (i32 1), <4 x ptr addrspace(1)> align 4 %19, <4 x i1> %4)
  %20 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i4 @llvm.cttz.i4(i4, i1 immarg) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4i32.v4p1(<4 x i32>, <4 x ptr addrspace(1)>, <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(write) }
