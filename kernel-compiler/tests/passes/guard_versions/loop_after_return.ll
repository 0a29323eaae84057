; `if (i >= n) return;`: the condition is negated. A loop and a branch on data are copied, which is no
; guard. Within the version for all lanes, the guard `i < m` has two versions too.
; lanes: 4
define void @k(ptr addrspace(1) %x, i32 %n, i32 %m) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %outside = icmp sge i32 %i, %n
  br i1 %outside, label %next, label %guarded

guarded:
  %index = zext nneg i32 %i to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  br label %loop

loop:
  %j = phi i32 [ 0, %guarded ], [ %j.next, %loop ]
  %sum = phi float [ %a, %guarded ], [ %sum.next, %loop ]
  %sum.next = fadd float %sum, %a
  %j.next = add nuw nsw i32 %j, 1
  %more.j = icmp slt i32 %j.next, %m
  br i1 %more.j, label %loop, label %summed

summed:
  %result = phi float [ %sum.next, %loop ]
  %is_below = icmp slt i32 %i, %m
  br i1 %is_below, label %below, label %next

below:
  %is_positive = fcmp ogt float %a, 0.0
  br i1 %is_positive, label %positive, label %next

positive:
  store float %result, ptr addrspace(1) %x.at, align 4
  br label %next

next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
define void @k(ptr addrspace(1) %x, i32 %n, i32 %m) {
entry:
  br label %region0.work_item

region0.work_item:                                ; preds = %next, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %outside = icmp sge i32 %i, %n
  %0 = xor i1 %outside, true
  %1 = freeze i1 %0, !mocl3.all_lanes !0
  br i1 %1, label %all_lanes, label %some_lanes

all_lanes:                                        ; preds = %region0.work_item
  %2 = zext nneg i32 %i to i64
  %3 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %2
  %4 = load float, ptr addrspace(1) %3, align 4
  br label %all_lanes1

all_lanes1:                                       ; preds = %all_lanes1, %all_lanes
  %5 = phi i32 [ 0, %all_lanes ], [ %8, %all_lanes1 ]
  %6 = phi float [ %4, %all_lanes ], [ %7, %all_lanes1 ]
  %7 = fadd float %6, %4
  %8 = add nuw nsw i32 %5, 1
  %9 = icmp slt i32 %8, %m
  br i1 %9, label %all_lanes1, label %all_lanes2

all_lanes2:                                       ; preds = %all_lanes1
  %10 = phi float [ %7, %all_lanes1 ]
  %11 = icmp slt i32 %i, %m
  %12 = freeze i1 %11, !mocl3.all_lanes !0
  br i1 %12, label %all_lanes5, label %some_lanes7

all_lanes5:                                       ; preds = %all_lanes2
  %13 = fcmp ogt float %4, 0.000000e+00
  br i1 %13, label %all_lanes6, label %next

all_lanes6:                                       ; preds = %all_lanes5
  store float %10, ptr addrspace(1) %3, align 4
  br label %next

some_lanes7:                                      ; preds = %all_lanes2
  br i1 %11, label %all_lanes3, label %next

all_lanes3:                                       ; preds = %some_lanes7
  %14 = fcmp ogt float %4, 0.000000e+00
  br i1 %14, label %all_lanes4, label %next

all_lanes4:                                       ; preds = %all_lanes3
  store float %10, ptr addrspace(1) %3, align 4
  br label %next

some_lanes:                                       ; preds = %region0.work_item
  br i1 %outside, label %next, label %guarded

guarded:                                          ; preds = %some_lanes
  %index = zext nneg i32 %i to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  br label %loop

loop:                                             ; preds = %loop, %guarded
  %j = phi i32 [ 0, %guarded ], [ %j.next, %loop ]
  %sum = phi float [ %a, %guarded ], [ %sum.next, %loop ]
  %sum.next = fadd float %sum, %a
  %j.next = add nuw nsw i32 %j, 1
  %more.j = icmp slt i32 %j.next, %m
  br i1 %more.j, label %loop, label %summed

summed:                                           ; preds = %loop
  %result = phi float [ %sum.next, %loop ]
  %is_below = icmp slt i32 %i, %m
  br i1 %is_below, label %below, label %next

below:                                            ; preds = %summed
  %is_positive = fcmp ogt float %a, 0.000000e+00
  br i1 %is_positive, label %positive, label %next

positive:                                         ; preds = %below
  store float %result, ptr addrspace(1) %x.at, align 4
  br label %next

next:                                             ; preds = %all_lanes6, %all_lanes5, %all_lanes4, %all_lanes3, %some_lanes7, %positive, %below, %summed, %some_lanes
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !1

done:                                             ; preds = %next
  ret void
}

!0 = !{}
!1 = !{i64 16, null}
