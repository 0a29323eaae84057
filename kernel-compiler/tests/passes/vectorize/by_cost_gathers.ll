; A few gathers in straight-line code do not make vector code unprofitable.
; lanes by cost: 32
define void @k(ptr addrspace(1) %columns, ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %item ]
  %column.at = getelementptr i32, ptr addrspace(1) %columns, i64 %x
  %column = load i32, ptr addrspace(1) %column.at, align 4
  %place = sext i32 %column to i64
  %value.at = getelementptr float, ptr addrspace(1) %from, i64 %place
  %value = load float, ptr addrspace(1) %value.at, align 4
  %square = fmul float %value, %value
  %cube = fmul float %square, %value
  %to.at = getelementptr float, ptr addrspace(1) %to, i64 %x
  store float %cube, ptr addrspace(1) %to.at, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 32, 264 cycles a row as vector code, 640 as scalar code
