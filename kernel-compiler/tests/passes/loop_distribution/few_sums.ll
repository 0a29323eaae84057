; Three sums fit into the registers: the loop is not distributed.
define <8 x float> @k(ptr addrspace(3) %a, ptr addrspace(3) %b) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %sum0 = phi <8 x float> [ zeroinitializer, %entry ], [ %new0, %round ]
  %sum1 = phi <8 x float> [ zeroinitializer, %entry ], [ %new1, %round ]
  %sum2 = phi <8 x float> [ zeroinitializer, %entry ], [ %new2, %round ]
  %wide = zext nneg i32 %i to i64
  %from = getelementptr <8 x float>, ptr addrspace(3) %b, i64 %wide
  %column = load <8 x float>, ptr addrspace(3) %from, align 4
  %place0 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 0
  %row0 = load <8 x float>, ptr addrspace(3) %place0, align 4
  %product0 = fmul <8 x float> %row0, %column
  %new0 = fadd <8 x float> %product0, %sum0
  %place1 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 1
  %row1 = load <8 x float>, ptr addrspace(3) %place1, align 4
  %product1 = fmul <8 x float> %row1, %column
  %new1 = fadd <8 x float> %product1, %sum1
  %place2 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 2
  %row2 = load <8 x float>, ptr addrspace(3) %place2, align 4
  %product2 = fmul <8 x float> %row2, %column
  %new2 = fadd <8 x float> %product2, %sum2
  %next = add nuw nsw i32 %i, 1
  %goes = icmp ult i32 %next, 16
  br i1 %goes, label %round, label %done

done:
  %all1 = fadd <8 x float> %new0, %new1
  %all2 = fadd <8 x float> %all1, %new2
  ret <8 x float> %all2
}

; ==== after ====
; parts: []

define <8 x float> @k(ptr addrspace(3) %a, ptr addrspace(3) %b) {
entry:
  br label %round

round:                                            ; preds = %round, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %sum0 = phi <8 x float> [ zeroinitializer, %entry ], [ %new0, %round ]
  %sum1 = phi <8 x float> [ zeroinitializer, %entry ], [ %new1, %round ]
  %sum2 = phi <8 x float> [ zeroinitializer, %entry ], [ %new2, %round ]
  %wide = zext nneg i32 %i to i64
  %from = getelementptr <8 x float>, ptr addrspace(3) %b, i64 %wide
  %column = load <8 x float>, ptr addrspace(3) %from, align 4
  %place0 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 0
  %row0 = load <8 x float>, ptr addrspace(3) %place0, align 4
  %product0 = fmul <8 x float> %row0, %column
  %new0 = fadd <8 x float> %product0, %sum0
  %place1 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 1
  %row1 = load <8 x float>, ptr addrspace(3) %place1, align 4
  %product1 = fmul <8 x float> %row1, %column
  %new1 = fadd <8 x float> %product1, %sum1
  %place2 = getelementptr [3 x <8 x float>], ptr addrspace(3) %a, i64 %wide, i64 2
  %row2 = load <8 x float>, ptr addrspace(3) %place2, align 4
  %product2 = fmul <8 x float> %row2, %column
  %new2 = fadd <8 x float> %product2, %sum2
  %next = add nuw nsw i32 %i, 1
  %goes = icmp ult i32 %next, 16
  br i1 %goes, label %round, label %done

done:                                             ; preds = %round
  %all1 = fadd <8 x float> %new0, %new1
  %all2 = fadd <8 x float> %all1, %new2
  ret <8 x float> %all2
}
