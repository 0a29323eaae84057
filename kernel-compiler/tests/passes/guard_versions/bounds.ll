; The code under `if (i < n)` has a version for vectors of which all lanes pass. The φ after it has the
; values of both.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %guarded, label %next

guarded:
  %index = zext nneg i32 %i to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  br label %next

next:
  %value = phi float [ 1.0, %region0.work_item ], [ %a, %guarded ]
  %n.i = zext nneg i32 %i to i64
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %n.i
  store float %value, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:                                ; preds = %next, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %inside = icmp slt i32 %i, %n
  %0 = freeze i1 %inside, !mocl3.all_lanes !0
  br i1 %0, label %all_lanes, label %some_lanes

all_lanes:                                        ; preds = %region0.work_item
  %1 = zext nneg i32 %i to i64
  %2 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %1
  %3 = load float, ptr addrspace(1) %2, align 4
  br label %next

some_lanes:                                       ; preds = %region0.work_item
  br i1 %inside, label %guarded, label %next

guarded:                                          ; preds = %some_lanes
  %index = zext nneg i32 %i to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %a = load float, ptr addrspace(1) %x.at, align 4
  br label %next

next:                                             ; preds = %all_lanes, %guarded, %some_lanes
  %4 = phi float [ 1.000000e+00, %some_lanes ], [ %a, %guarded ], [ %3, %all_lanes ]
  %n.i = zext nneg i32 %i to i64
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %n.i
  store float %4, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !1

done:                                             ; preds = %next
  ret void
}

!0 = !{}
!1 = !{i64 16, null}
