; Inactive lanes contribute the identity element: for a signed minimum the largest number.
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
  %square = mul i32 %value, %value
  %old = atomicrmw min ptr addrspace(1) %at, i32 %square monotonic, align 4
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

lanes.x:                                          ; preds = %18, %entry
  %x1 = phi i32 [ 0, %entry ], [ %19, %18 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = icmp slt <4 x i32> %2, zeroinitializer
  %4 = bitcast <4 x i1> %3 to i4
  %5 = icmp ne i4 %4, 0
  br i1 %5, label %6, label %18

6:                                                ; preds = %lanes.x
  %7 = mul <4 x i32> %2, %2
  %8 = select <4 x i1> %3, <4 x i32> %7, <4 x i32> splat (i32 2147483647)
  %9 = shufflevector <4 x i32> %8, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %10 = shufflevector <4 x i32> %8, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %11 = icmp slt <2 x i32> %9, %10
  %12 = select <2 x i1> %11, <2 x i32> %9, <2 x i32> %10
  %13 = extractelement <2 x i32> %12, i64 0
  %14 = extractelement <2 x i32> %12, i64 1
  %15 = icmp slt i32 %13, %14
  %16 = select i1 %15, i32 %13, i32 %14
  %17 = atomicrmw min ptr addrspace(1) %at, i32 %16 monotonic, align 4
  br label %18

18:                                               ; preds = %lanes.x, %6
  %19 = add nuw nsw i32 %x1, 4
  %20 = icmp ult i32 %19, 8
  br i1 %20, label %lanes.x, label %done

done:                                             ; preds = %18
  ret void
}
