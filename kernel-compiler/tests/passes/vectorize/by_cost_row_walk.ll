; No rows are executed together: vectors have two registers.
; lanes by cost: 32
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %pitch, i64 %n) {
entry:
  br label %row

row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %row.end ]
  %row.to = getelementptr [64 x float], ptr addrspace(1) %to, i64 %y
  br label %item

item:
  %x = phi i64 [ 0, %row ], [ %x.next, %next ]
  %begin = mul i64 %x, %pitch
  br label %step

step:
  %i = phi i64 [ 0, %item ], [ %i.next, %step ]
  %sum = phi float [ 0.000000e+00, %item ], [ %w, %step ]
  %at = add i64 %begin, %i
  %in = getelementptr float, ptr addrspace(1) %from, i64 %at
  %four = load <4 x float>, ptr addrspace(1) %in, align 4
  %a = extractelement <4 x float> %four, i64 0
  %b = extractelement <4 x float> %four, i64 1
  %c = extractelement <4 x float> %four, i64 2
  %d = extractelement <4 x float> %four, i64 3
  %sum.a = fadd float %sum, %a
  %sum.b = fadd float %sum.a, %b
  %sum.c = fadd float %sum.b, %c
  %w = fadd float %sum.c, %d
  %i.next = add nuw nsw i64 %i, 4
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %step, label %next

next:
  %out = getelementptr float, ptr addrspace(1) %row.to, i64 %x
  store float %w, ptr addrspace(1) %out, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %row.end, !mocl3.work_items !0

row.end:
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 8
  br i1 %more.rows, label %row, label %done

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1
; lanes: 16, 29558 cycles a row as vector code, 68864 as scalar code
