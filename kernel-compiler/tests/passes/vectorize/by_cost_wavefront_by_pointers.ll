; The group's loop compares pointers: its trip count is not known, and eight is assumed.
; lanes by cost: 32
define void @k(ptr addrspace(3) %tile, ptr addrspace(3) %similar, ptr addrspace(1) %from, ptr addrspace(1) %end) {
entry:
  br label %step

step:
  %at = phi ptr addrspace(1) [ %from, %entry ], [ %at.next, %stepped ]
  %diagonal = load i64, ptr addrspace(1) %at, align 8
  br label %item

item:
  %x = phi i64 [ 0, %step ], [ %x.next, %next ]
  %y = sub nsw i64 %diagonal, %x
  %passes = icmp ult i64 %y, 32
  br i1 %passes, label %active, label %next

active:
  %row = getelementptr [33 x i32], ptr addrspace(3) %tile, i64 %y
  %left.above.at = getelementptr i32, ptr addrspace(3) %row, i64 %x
  %left.above = load i32, ptr addrspace(3) %left.above.at, align 4
  %above.at = getelementptr i8, ptr addrspace(3) %left.above.at, i64 4
  %above = load i32, ptr addrspace(3) %above.at, align 4
  %left.at = getelementptr i8, ptr addrspace(3) %left.above.at, i64 132
  %left = load i32, ptr addrspace(3) %left.at, align 4
  %similar.row = getelementptr [32 x i32], ptr addrspace(3) %similar, i64 %y
  %same.at = getelementptr i32, ptr addrspace(3) %similar.row, i64 %x
  %same = load i32, ptr addrspace(3) %same.at, align 4
  %matched = add nsw i32 %left.above, %same
  %either = add nsw i32 %above, %left
  %sum = add nsw i32 %matched, %either
  %to.at = getelementptr i8, ptr addrspace(3) %left.above.at, i64 136
  store i32 %sum, ptr addrspace(3) %to.at, align 4
  br label %next

next:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 32
  br i1 %more, label %item, label %stepped, !mocl3.work_items !0

stepped:
  %at.next = getelementptr i64, ptr addrspace(1) %at, i64 1
  %again = icmp ne ptr addrspace(1) %at.next, %end
  br i1 %again, label %step, label %done

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 16, 3546 cycles a row as vector code, 4160 as scalar code
