; Few numbers are better than the last of the best ones so far.
; lanes by cost: 16
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  %best = alloca [4 x float], align 4
  br label %region0.work_item

region0.work_item:
  %i = phi i64 [ 0, %entry ], [ %i.next, %stored ]
  store float 1.0, ptr %best, align 4
  %last.at = getelementptr inbounds i8, ptr %best, i64 12
  store float 1.0, ptr %last.at, align 4
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  br label %number

number:
  %j = phi i64 [ 0, %region0.work_item ], [ %j.next, %next ]
  %number.at = getelementptr inbounds float, ptr addrspace(1) %x.at, i64 %j
  %number.j = load float, ptr addrspace(1) %number.at, align 4
  %last = load float, ptr %last.at, align 4
  %is.better = fcmp ult float %number.j, %last
  br i1 %is.better, label %better, label %next

better:
  %first = load float, ptr %best, align 4
  %root = call float @llvm.sqrt.f32(float %first)
  store float %root, ptr %last.at, align 4
  store float %number.j, ptr %best, align 4
  br label %next

next:
  %j.next = add nuw nsw i64 %j, 1
  %more.numbers = icmp ult i64 %j.next, %n
  br i1 %more.numbers, label %number, label %stored

stored:
  %result = load float, ptr %best, align 4
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %result, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

declare float @llvm.sqrt.f32(float)

!0 = !{i64 64, null}

; ==== after ====
; loops: 1
; lanes: 16, 582 cycles a row as vector code, 6640 as scalar code
