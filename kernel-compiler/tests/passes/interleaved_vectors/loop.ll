; Sums of pairs are computed as the pairs lie in memory, also in a loop. A number of each lane is repeated for both.
define void @k(ptr %a, ptr %y, float %factor, <4 x float> %of.lane, i64 %n) {
entry:
  %factor.0 = insertelement <4 x float> poison, float %factor, i64 0
  %splat.x = shufflevector <4 x float> %factor.0, <4 x float> poison, <4 x i32> zeroinitializer
  %splat.y = shufflevector <4 x float> %factor.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum.x = phi <4 x float> [ zeroinitializer, %entry ], [ %next.x, %loop ]
  %sum.y = phi <4 x float> [ zeroinitializer, %entry ], [ %next.y, %loop ]
  %at = getelementptr <8 x float>, ptr %a, i64 %i
  %pairs = load <8 x float>, ptr %at, align 8
  %x = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %scaled.x = fmul contract <4 x float> %x, %splat.x
  %scaled.y = fmul contract <4 x float> %y.of, %splat.y
  %shifted.x = fadd <4 x float> %scaled.x, %of.lane
  %shifted.y = fadd <4 x float> %scaled.y, %of.lane
  %next.x = fadd <4 x float> %sum.x, %shifted.x
  %next.y = fadd <4 x float> %sum.y, %shifted.y
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %sums = shufflevector <4 x float> %next.x, <4 x float> %next.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x float> %sums, ptr %y, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %y, float %factor, <4 x float> %of.lane, i64 %n) {
entry:
  %factor.0 = insertelement <4 x float> poison, float %factor, i64 0
  %splat.x = shufflevector <4 x float> %factor.0, <4 x float> poison, <4 x i32> zeroinitializer
  %splat.y = shufflevector <4 x float> %factor.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %0 = phi <8 x float> [ zeroinitializer, %entry ], [ %5, %loop ]
  %at = getelementptr <8 x float>, ptr %a, i64 %i
  %pairs = load <8 x float>, ptr %at, align 8
  %1 = shufflevector <4 x float> %factor.0, <4 x float> poison, <8 x i32> zeroinitializer
  %2 = fmul contract <8 x float> %pairs, %1
  %3 = shufflevector <4 x float> %of.lane, <4 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
  %4 = fadd <8 x float> %2, %3
  %5 = fadd <8 x float> %0, %4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  store <8 x float> %5, ptr %y, align 8
  ret void
}
