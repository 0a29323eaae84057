; A uniform loop keeps its scalar counter, and uniform loads stay scalar.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %item ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %item ], [ %sum.next, %loop ]
  %same = getelementptr float, ptr addrspace(1) %a, i64 %i
  %factor = load float, ptr addrspace(1) %same, align 4
  %row = mul i64 %i, 64
  %at = add i64 %row, %wide
  %own = getelementptr float, ptr addrspace(1) %b, i64 %at
  %value = load float, ptr addrspace(1) %own, align 4
  %product = fmul float %factor, %value
  %sum.next = fadd float %sum, %product
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %loop, label %end

end:
  %result = phi float [ %sum.next, %loop ]
  %to = getelementptr float, ptr addrspace(1) %b, i64 %wide
  store float %result, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %14, %entry
  %x1 = phi i32 [ 0, %entry ], [ %16, %14 ]
  %0 = zext nneg i32 %x1 to i64
  br label %1

1:                                                ; preds = %1, %lanes.x
  %.06 = phi i64 [ 0, %lanes.x ], [ %12, %1 ]
  %.0 = phi <4 x float> [ zeroinitializer, %lanes.x ], [ %11, %1 ]
  %2 = getelementptr float, ptr addrspace(1) %a, i64 %.06
  %3 = load float, ptr addrspace(1) %2, align 4
  %4 = mul i64 %.06, 64
  %5 = add i64 %4, %0
  %6 = getelementptr float, ptr addrspace(1) %b, i64 %5
  %7 = load <4 x float>, ptr addrspace(1) %6, align 4
  %8 = insertelement <4 x float> poison, float %3, i64 0
  %9 = shufflevector <4 x float> %8, <4 x float> poison, <4 x i32> zeroinitializer
  %10 = fmul <4 x float> %9, %7
  %11 = fadd <4 x float> %.0, %10
  %12 = add i64 %.06, 1
  %13 = icmp ult i64 %12, %n
  br i1 %13, label %1, label %14

14:                                               ; preds = %1
  %15 = getelementptr float, ptr addrspace(1) %b, i64 %0
  store <4 x float> %11, ptr addrspace(1) %15, align 4
  %16 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %14
  ret void
}
