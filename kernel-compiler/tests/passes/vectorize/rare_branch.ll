; A branch to a block that seldom runs stays, though the block is short.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %value = load float, ptr addrspace(1) %place, align 4
  %large = fcmp ogt float %value, 0x47D0000000000000
  br i1 %large, label %then, label %end, !prof !1

then:
  %scaled = fmul float %value, 0x3E70000000000000
  %squared = fmul float %scaled, %scaled
  %sum = fadd float %squared, %scaled
  %difference = fsub float %sum, %value
  br label %end

end:
  %result = phi float [ %value, %item ], [ %difference, %then ]
  store float %result, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 2000}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %12, %entry
  %x1 = phi i32 [ 0, %entry ], [ %13, %12 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr float, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x float>, ptr addrspace(1) %1, align 4
  %3 = fcmp ogt <4 x float> %2, splat (float 0x47D0000000000000)
  %4 = bitcast <4 x i1> %3 to i4
  %5 = icmp ne i4 %4, 0
  br i1 %5, label %6, label %12, !prof !0

6:                                                ; preds = %lanes.x
  %7 = fmul <4 x float> %2, splat (float 0x3E70000000000000)
  %8 = fmul <4 x float> %7, %7
  %9 = fadd <4 x float> %8, %7
  %10 = fsub <4 x float> %9, %2
  %11 = select <4 x i1> %3, <4 x float> %10, <4 x float> %2
  br label %12

12:                                               ; preds = %lanes.x, %6
  %.0 = phi <4 x float> [ %11, %6 ], [ %2, %lanes.x ]
  store <4 x float> %.0, ptr addrspace(1) %1, align 4
  %13 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %12
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1000}
