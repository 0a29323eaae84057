; On local memory the one atomic becomes a load, an operation and a store. Subtraction subtracts the
; sum of the operands.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %at) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %value = load i32, ptr addrspace(1) %place, align 4
  %old = atomicrmw sub ptr addrspace(3) %at, i32 %value monotonic, align 4
  %rest = mul i32 %old, %value
  store i32 %rest, ptr addrspace(1) %place, align 4
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

define void @k(ptr addrspace(1) %a, ptr addrspace(3) %at) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %15, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = shufflevector <4 x i32> zeroinitializer, <4 x i32> %2, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %4 = add <4 x i32> %3, %2
  %5 = shufflevector <4 x i32> zeroinitializer, <4 x i32> %4, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %6 = add <4 x i32> %5, %4
  %7 = extractelement <4 x i32> %6, i64 3
  %8 = shufflevector <4 x i32> zeroinitializer, <4 x i32> %6, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %9 = load i32, ptr addrspace(3) %at, align 4
  %10 = sub i32 %9, %7
  store i32 %10, ptr addrspace(3) %at, align 4
  %11 = insertelement <4 x i32> poison, i32 %9, i64 0
  %12 = shufflevector <4 x i32> %11, <4 x i32> poison, <4 x i32> zeroinitializer
  %13 = sub <4 x i32> %12, %8
  %14 = mul <4 x i32> %13, %2
  store <4 x i32> %14, ptr addrspace(1) %1, align 4
  %15 = add nuw nsw i32 %x1, 4
  %16 = icmp ult i32 %15, 8
  br i1 %16, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
