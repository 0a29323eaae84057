; Lanes search in halves: scalar code waits for each element, and branches by it at random.
; lanes by cost: 16
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %z, ptr addrspace(1) %y, i64 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %stored ]
  %end = mul nuw nsw i64 %i, %n
  br label %search

search:
  %low = phi i64 [ 0, %region0.work_item ], [ %low.next, %search ]
  %high = phi i64 [ %end, %region0.work_item ], [ %high.next, %search ]
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %mirrored = sub i64 %end, %middle
  %x.at = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %middle
  %element = load i32, ptr addrspace(1) %x.at, align 4
  %z.at = getelementptr inbounds i32, ptr addrspace(1) %z, i64 %mirrored
  %other = load i32, ptr addrspace(1) %z.at, align 4
  %is.less = icmp slt i32 %element, %other
  %behind = add i64 %middle, 1
  %low.next = select i1 %is.less, i64 %behind, i64 %low
  %high.next = select i1 %is.less, i64 %high, i64 %middle
  %more.elements = icmp slt i64 %low.next, %high.next
  br i1 %more.elements, label %search, label %stored

stored:
  %y.at = getelementptr inbounds i64, ptr addrspace(1) %y, i64 %i
  store i64 %low.next, ptr addrspace(1) %y.at, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 64, null}

; ==== after ====
; loops: 1
; lanes: 16, 6869 cycles a row as vector code, 29088 as scalar code
