; A comparison that holds for the whole row needs neither branch nor mask.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %latch ]
  %some = icmp ult i32 %x, 8
  br i1 %some, label %write, label %latch

write:
  %wide = zext nneg i32 %x to i64
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %x, ptr addrspace(1) %to, align 4
  br label %latch

latch:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 8
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
  %6 = icmp ult i32 %5, 8
  br i1 %6, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
