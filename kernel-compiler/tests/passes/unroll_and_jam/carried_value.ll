; Each row carries a value through an inner loop with a uniform trip count: of six rows, two are jammed.
define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %store ]
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %a, i64 %wide
  %start = load <8 x float>, ptr addrspace(1) %place, align 4
  br label %round

round:
  %i = phi i32 [ 0, %row ], [ %again, %round ]
  %x = phi <8 x float> [ %start, %row ], [ %square, %round ]
  %square = fmul <8 x float> %x, %x
  %again = add nuw nsw i32 %i, 1
  %goes = icmp ult i32 %again, %n
  br i1 %goes, label %round, label %store

store:
  store <8 x float> %square, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 6
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: [2]

define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %row

row:                                              ; preds = %store, %entry
  %y = phi i32 [ 0, %entry ], [ %6, %store ]
  %0 = add nuw nsw i32 %y, 1
  %wide = zext nneg i32 %y to i64
  %1 = zext nneg i32 %0 to i64
  %place = getelementptr <8 x float>, ptr addrspace(1) %a, i64 %wide
  %2 = getelementptr <8 x float>, ptr addrspace(1) %a, i64 %1
  %start = load <8 x float>, ptr addrspace(1) %place, align 4
  %3 = load <8 x float>, ptr addrspace(1) %2, align 4
  br label %round

round:                                            ; preds = %round, %row
  %i = phi i32 [ 0, %row ], [ %again, %round ]
  %x = phi <8 x float> [ %start, %row ], [ %square, %round ]
  %4 = phi <8 x float> [ %3, %row ], [ %5, %round ]
  %square = fmul <8 x float> %x, %x
  %5 = fmul <8 x float> %4, %4
  %again = add nuw nsw i32 %i, 1
  %goes = icmp ult i32 %again, %n
  br i1 %goes, label %round, label %store

store:                                            ; preds = %round
  store <8 x float> %square, ptr addrspace(1) %place, align 4
  store <8 x float> %5, ptr addrspace(1) %2, align 4
  %6 = add nuw nsw i32 %y, 2
  %7 = icmp ult i32 %6, 6
  br i1 %7, label %row, label %done

done:                                             ; preds = %store
  ret void
}
