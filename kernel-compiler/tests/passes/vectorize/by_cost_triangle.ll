; Lanes leave a loop that starts at their numbers in neighbouring iterations; scalar code comes to a cache line in each.
; lanes by cost: 16
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %stored ]
  br label %row

row:
  %j = phi i64 [ %i, %region0.work_item ], [ %j.next, %row ]
  %sum = phi i32 [ 0, %region0.work_item ], [ %sum.next, %row ]
  %row.start = mul nsw i64 %j, %n
  %row.at = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %row.start
  %element.at = getelementptr inbounds i32, ptr addrspace(1) %row.at, i64 %i
  %element = load i32, ptr addrspace(1) %element.at, align 4
  %sum.next = add i32 %sum, %element
  %j.next = add nuw nsw i64 %j, 1
  %more.rows = icmp ult i64 %j.next, %n
  br i1 %more.rows, label %row, label %stored

stored:
  %y.at = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 %sum.next, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 64, null}

; ==== after ====
; loops: 1
; lanes: 16, 4231 cycles a row as vector code, 6496 as scalar code
