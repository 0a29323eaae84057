; A checked access in a loop has a version for vectors of which all lanes are within bounds, too. The
; other version computes the condition again.
; lanes: 4
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64)

define void @k(ptr addrspace(1) %x, ptr %context, i64 %limit) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %index = zext nneg i32 %i to i64
  %offset = shl nuw nsw i64 %index, 2
  %inside = icmp ult i64 %offset, %limit
  br i1 %inside, label %access, label %report

access:
  %x.at = getelementptr i8, ptr addrspace(1) %x, i64 %offset
  store float 1.0, ptr addrspace(1) %x.at, align 4
  br label %join

report:
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %offset, i64 4, i64 %index, i64 0, i64 0)
  br label %join

join:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64)

define void @k(ptr addrspace(1) %x, ptr %context, i64 %limit) {
entry:
  br label %region0.work_item

region0.work_item:                                ; preds = %join, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %index = zext nneg i32 %i to i64
  %offset = shl nuw nsw i64 %index, 2
  %inside = icmp ult i64 %offset, %limit
  %0 = freeze i1 %inside, !mocl3.all_lanes !0
  br i1 %0, label %all_lanes, label %some_lanes

all_lanes:                                        ; preds = %region0.work_item
  %1 = getelementptr i8, ptr addrspace(1) %x, i64 %offset
  store float 1.000000e+00, ptr addrspace(1) %1, align 4
  br label %join

some_lanes:                                       ; preds = %region0.work_item
  %2 = icmp ult i64 %offset, %limit
  br i1 %2, label %access, label %report

access:                                           ; preds = %some_lanes
  %x.at = getelementptr i8, ptr addrspace(1) %x, i64 %offset
  store float 1.000000e+00, ptr addrspace(1) %x.at, align 4
  br label %join

report:                                           ; preds = %some_lanes
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %offset, i64 4, i64 %index, i64 0, i64 0)
  br label %join

join:                                             ; preds = %all_lanes, %report, %access
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !1

done:                                             ; preds = %join
  ret void
}

!0 = !{}
!1 = !{i64 16, null}
