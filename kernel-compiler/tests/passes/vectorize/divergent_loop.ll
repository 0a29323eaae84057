; Lanes leave a loop in different iterations: it continues while one is active, and each keeps the
; values it had when it left.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %limit = load i32, ptr addrspace(1) %place, align 4
  br label %loop

loop:
  %i = phi i32 [ 0, %item ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %item ], [ %sum.next, %loop ]
  %i.next = add i32 %i, 1
  %sum.next = add i32 %sum, %i.next
  %again = icmp ult i32 %sum.next, %limit
  br i1 %again, label %loop, label %end

end:
  %result = phi i32 [ %sum.next, %loop ]
  store i32 %result, ptr addrspace(1) %place, align 4
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

lanes.x:                                          ; preds = %15, %entry
  %x1 = phi i32 [ 0, %entry ], [ %16, %15 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  br label %3

3:                                                ; preds = %3, %lanes.x
  %.07 = phi i32 [ 0, %lanes.x ], [ %4, %3 ]
  %.06 = phi i32 [ 0, %lanes.x ], [ %5, %3 ]
  %mask.0 = phi <4 x i1> [ splat (i1 true), %lanes.x ], [ %10, %3 ]
  %.0 = phi <4 x i32> [ poison, %lanes.x ], [ %12, %3 ]
  %4 = add i32 %.07, 1
  %5 = add i32 %.06, %4
  %6 = insertelement <4 x i32> poison, i32 %5, i64 0
  %7 = shufflevector <4 x i32> %6, <4 x i32> poison, <4 x i32> zeroinitializer
  %8 = icmp ult <4 x i32> %7, %2
  %9 = xor <4 x i1> %8, splat (i1 true)
  %10 = select <4 x i1> %mask.0, <4 x i1> %8, <4 x i1> zeroinitializer
  %11 = select <4 x i1> %mask.0, <4 x i1> %9, <4 x i1> zeroinitializer
  %12 = select <4 x i1> %11, <4 x i32> %7, <4 x i32> %.0
  %13 = bitcast <4 x i1> %10 to i4
  %14 = icmp ne i4 %13, 0
  br i1 %14, label %3, label %15

15:                                               ; preds = %3
  store <4 x i32> %12, ptr addrspace(1) %1, align 4
  %16 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %15
  ret void
}
