; Each work-item iterates over a part of the arrays whose length differs. Scalar code is faster
; than three masked gathers in each iteration of a loop that runs until its last lane leaves.
; lanes by cost: 16
define void @k(ptr addrspace(1) %starts, ptr addrspace(1) %columns, ptr addrspace(1) %elements, ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %end ]
  %start.at = getelementptr i32, ptr addrspace(1) %starts, i64 %x
  %start = load i32, ptr addrspace(1) %start.at, align 4
  %x.next = add nuw nsw i64 %x, 1
  %limit.at = getelementptr i32, ptr addrspace(1) %starts, i64 %x.next
  %limit = load i32, ptr addrspace(1) %limit.at, align 4
  %any = icmp slt i32 %start, %limit
  br i1 %any, label %before, label %end

before:
  %first = sext i32 %start to i64
  %last = sext i32 %limit to i64
  br label %round

round:
  %i = phi i64 [ %first, %before ], [ %i.next, %round ]
  %sum = phi float [ 0.0, %before ], [ %sum.next, %round ]
  %element.at = getelementptr float, ptr addrspace(1) %elements, i64 %i
  %element = load float, ptr addrspace(1) %element.at, align 4
  %column.at = getelementptr i32, ptr addrspace(1) %columns, i64 %i
  %column = load i32, ptr addrspace(1) %column.at, align 4
  %place = sext i32 %column to i64
  %value.at = getelementptr float, ptr addrspace(1) %from, i64 %place
  %value = load float, ptr addrspace(1) %value.at, align 4
  %sum.next = call float @llvm.fmuladd.f32(float %element, float %value, float %sum)
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %last
  br i1 %again, label %round, label %after

after:
  %sum.after = phi float [ %sum.next, %round ]
  br label %end

end:
  %result = phi float [ 0.0, %item ], [ %sum.after, %after ]
  %to.at = getelementptr float, ptr addrspace(1) %to, i64 %x
  store float %result, ptr addrspace(1) %to.at, align 4
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

!0 = !{}

; ==== after ====
; rejected: vector code would cost more: 8720 cycles a row as vector code, 6080 as scalar code
