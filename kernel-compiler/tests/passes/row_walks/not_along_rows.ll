; Nothing changes: one loop reads every other element, one a column, and one stores what it reads two iterations later.
; lanes: 8
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %spaced

spaced:
  %j = phi i64 [ 0, %item ], [ %j.next, %spaced ]
  %sum = phi float [ 0.0, %item ], [ %sum.next, %spaced ]
  %twice = mul i64 %j, 2
  %at = add i64 %row, %twice
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %a.at, align 4
  %sum.next = fadd float %sum, %value
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %spaced, label %before_column

before_column:
  %first = phi float [ %sum.next, %spaced ]
  br label %column

column:
  %k = phi i64 [ 0, %before_column ], [ %k.next, %column ]
  %of_column = phi float [ %first, %before_column ], [ %of_column.next, %column ]
  %k.row = mul i64 %k, 64
  %k.at = add i64 %k.row, %wide
  %k.pointer = getelementptr float, ptr addrspace(1) %a, i64 %k.at
  %k.value = load float, ptr addrspace(1) %k.pointer, align 4
  %of_column.next = fadd float %of_column, %k.value
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp ult i64 %k.next, %n
  br i1 %k.again, label %column, label %before_stores

before_stores:
  %second = phi float [ %of_column.next, %column ]
  br label %stores

stores:
  %l = phi i64 [ 0, %before_stores ], [ %l.next, %stores ]
  %l.at = add i64 %row, %l
  %l.from = getelementptr float, ptr addrspace(1) %a, i64 %l.at
  %l.value = load float, ptr addrspace(1) %l.from, align 4
  %l.sum = fadd float %l.value, %second
  %l.later = add i64 %l.at, 2
  %l.to = getelementptr float, ptr addrspace(1) %a, i64 %l.later
  store float %l.sum, ptr addrspace(1) %l.to, align 4
  %l.next = add nuw nsw i64 %l, 1
  %l.again = icmp ult i64 %l.next, %n
  br i1 %l.again, label %stores, label %end

end:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch, i64 %n) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %spaced

spaced:                                           ; preds = %spaced, %item
  %j = phi i64 [ 0, %item ], [ %j.next, %spaced ]
  %sum = phi float [ 0.000000e+00, %item ], [ %sum.next, %spaced ]
  %twice = mul i64 %j, 2
  %at = add i64 %row, %twice
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %a.at, align 4
  %sum.next = fadd float %sum, %value
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %spaced, label %before_column

before_column:                                    ; preds = %spaced
  %first = phi float [ %sum.next, %spaced ]
  br label %column

column:                                           ; preds = %column, %before_column
  %k = phi i64 [ 0, %before_column ], [ %k.next, %column ]
  %of_column = phi float [ %first, %before_column ], [ %of_column.next, %column ]
  %k.row = mul i64 %k, 64
  %k.at = add i64 %k.row, %wide
  %k.pointer = getelementptr float, ptr addrspace(1) %a, i64 %k.at
  %k.value = load float, ptr addrspace(1) %k.pointer, align 4
  %of_column.next = fadd float %of_column, %k.value
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp ult i64 %k.next, %n
  br i1 %k.again, label %column, label %before_stores

before_stores:                                    ; preds = %column
  %second = phi float [ %of_column.next, %column ]
  br label %stores

stores:                                           ; preds = %stores, %before_stores
  %l = phi i64 [ 0, %before_stores ], [ %l.next, %stores ]
  %l.at = add i64 %row, %l
  %l.from = getelementptr float, ptr addrspace(1) %a, i64 %l.at
  %l.value = load float, ptr addrspace(1) %l.from, align 4
  %l.sum = fadd float %l.value, %second
  %l.later = add i64 %l.at, 2
  %l.to = getelementptr float, ptr addrspace(1) %a, i64 %l.later
  store float %l.sum, ptr addrspace(1) %l.to, align 4
  %l.next = add nuw nsw i64 %l, 1
  %l.again = icmp ult i64 %l.next, %n
  br i1 %l.again, label %stores, label %end

end:                                              ; preds = %stores
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
