; Few work-items meet all three conditions in an iteration, so that narrow vectors skip the gathers more
; often than wide ones, in which some lane meets them.
; lanes by cost: 32
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %table, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %mine = load float, ptr addrspace(1) %a.at, align 4
  br label %iteration

iteration:
  %j = phi i32 [ 0, %region0.work_item ], [ %j.next, %next ]
  %sum = phi float [ 0.0, %region0.work_item ], [ %sum.next, %next ]
  %j.wide = zext nneg i32 %j to i64
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %j.wide
  %other = load float, ptr addrspace(1) %b.at, align 4
  %first = fcmp ogt float %mine, %other
  br i1 %first, label %second.test, label %next

second.test:
  %product = fmul float %other, %mine
  %second = fcmp ogt float 1.0, %product
  br i1 %second, label %third.test, label %next

third.test:
  %square = fmul float %product, %product
  %third = fcmp ogt float %square, 2.0
  br i1 %third, label %found, label %next

found:
  %bits = bitcast float %square to i32
  %place0 = lshr i32 %bits, 12
  %place0.wide = zext nneg i32 %place0 to i64
  %at0 = getelementptr inbounds float, ptr addrspace(1) %table, i64 %place0.wide
  %value0 = load float, ptr addrspace(1) %at0, align 4
  %place1 = lshr i32 %bits, 13
  %place1.wide = zext nneg i32 %place1 to i64
  %at1 = getelementptr inbounds float, ptr addrspace(1) %table, i64 %place1.wide
  %value1 = load float, ptr addrspace(1) %at1, align 4
  %values1 = fmul float %value0, %value1
  %place2 = lshr i32 %bits, 14
  %place2.wide = zext nneg i32 %place2 to i64
  %at2 = getelementptr inbounds float, ptr addrspace(1) %table, i64 %place2.wide
  %value2 = load float, ptr addrspace(1) %at2, align 4
  %values2 = fmul float %values1, %value2
  %place3 = lshr i32 %bits, 15
  %place3.wide = zext nneg i32 %place3 to i64
  %at3 = getelementptr inbounds float, ptr addrspace(1) %table, i64 %place3.wide
  %value3 = load float, ptr addrspace(1) %at3, align 4
  %values3 = fmul float %values2, %value3
  %place4 = lshr i32 %bits, 16
  %place4.wide = zext nneg i32 %place4 to i64
  %at4 = getelementptr inbounds float, ptr addrspace(1) %table, i64 %place4.wide
  %value4 = load float, ptr addrspace(1) %at4, align 4
  %values4 = fmul float %values3, %value4
  %sum.found = fadd float %sum, %values4
  br label %next

next:
  %sum.next = phi float [ %sum, %iteration ], [ %sum, %second.test ], [ %sum, %third.test ], [ %sum.found, %found ]
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %iteration, label %end

end:
  store float %sum.next, ptr addrspace(1) %a.at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 64, null}

; ==== after ====
; loops: 1
; lanes: 16, 9471 cycles a row as vector code, 10080 as scalar code
