; %narrow is an induction of two bits, and part of an address. The loop without it stays as it is:
; indices of 32 bits may be inductions.
define void @k(ptr %data, ptr %bytes, i64 %base) {
entry:
  br label %narrow_index

narrow_index:
  %i = phi i64 [ 0, %entry ], [ %i.next, %narrow_index ]
  %sum = add nuw nsw i64 %i, %base
  %wide = trunc i64 %sum to i32
  %scaled = shl i32 %wide, 2
  %index = trunc nuw nsw i64 %i to i32
  %narrow = and i32 %index, 3
  %together = or disjoint i32 %scaled, %narrow
  %extended = zext i32 %together to i64
  %address = getelementptr inbounds nuw i32, ptr %data, i64 %extended
  store i32 0, ptr %address, align 4
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 25
  br i1 %done, label %between, label %narrow_index

between:
  br label %wide_index

wide_index:
  %j = phi i64 [ 0, %between ], [ %j.next, %wide_index ]
  %j.wide = trunc i64 %j to i32
  %j.scaled = shl i32 %j.wide, 2
  %j.extended = zext i32 %j.scaled to i64
  %j.address = getelementptr inbounds nuw i8, ptr %bytes, i64 %j.extended
  %value = trunc i64 %j to i8
  store i8 %value, ptr %j.address, align 1
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, 25
  br i1 %j.done, label %exit, label %wide_index

exit:
  ret void
}

; ==== after ====
define void @k(ptr %data, ptr %bytes, i64 %base) {
entry:
  br label %narrow_index

narrow_index:                                     ; preds = %narrow_index, %entry
  %i = phi i64 [ 0, %entry ], [ %i.next, %narrow_index ]
  %sum = add nuw nsw i64 %i, %base
  %wide = trunc i64 %sum to i32
  %scaled = shl i32 %wide, 2
  %index = trunc nuw nsw i64 %i to i32
  %narrow = and i32 %index, 3
  %0 = freeze i32 %narrow
  %together = or disjoint i32 %scaled, %0
  %extended = zext i32 %together to i64
  %address = getelementptr inbounds nuw i32, ptr %data, i64 %extended
  store i32 0, ptr %address, align 4
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 25
  br i1 %done, label %between, label %narrow_index

between:                                          ; preds = %narrow_index
  br label %wide_index

wide_index:                                       ; preds = %wide_index, %between
  %j = phi i64 [ 0, %between ], [ %j.next, %wide_index ]
  %j.wide = trunc i64 %j to i32
  %j.scaled = shl i32 %j.wide, 2
  %j.extended = zext i32 %j.scaled to i64
  %j.address = getelementptr inbounds nuw i8, ptr %bytes, i64 %j.extended
  %value = trunc i64 %j to i8
  store i8 %value, ptr %j.address, align 1
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, 25
  br i1 %j.done, label %exit, label %wide_index

exit:                                             ; preds = %wide_index
  ret void
}
