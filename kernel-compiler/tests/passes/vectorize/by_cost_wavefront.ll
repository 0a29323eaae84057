; The steps of a wavefront, which the group counts: of the 32 work-items, those that take part move along the
; row. Vectors of 16 skip more of the others than vectors of 32.
; lanes by cost: 32
define void @k(ptr addrspace(3) %tile, ptr addrspace(3) %similar) {
entry:
  br label %step

step:
  %diagonal = phi i64 [ 0, %entry ], [ %diagonal.next, %stepped ]
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
  %diagonal.next = add nuw nsw i64 %diagonal, 1
  %again = icmp ult i64 %diagonal.next, 63
  br i1 %again, label %step, label %done

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 16, 27925 cycles a row as vector code, 32760 as scalar code
