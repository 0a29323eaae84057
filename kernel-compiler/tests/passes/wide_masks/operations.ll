; Comparisons of two registers of floats are combined as integers of their size, in a loop, too. One register's are left alone.
define void @k(ptr %x, ptr %y, i1 %flip, <8 x float> %small, ptr %to) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %active = phi <16 x i1> [ splat (i1 true), %entry ], [ %left, %loop ]
  %x.at = getelementptr <16 x float>, ptr %x, i64 %i
  %a = load <16 x float>, ptr %x.at, align 4
  %y.at = getelementptr <16 x float>, ptr %y, i64 %i
  %b = load <16 x float>, ptr %y.at, align 4
  %less = fcmp ult <16 x float> %a, %b
  %inside = fcmp ult <16 x float> %b, splat (float 1.0)
  %both = select <16 x i1> %less, <16 x i1> %inside, <16 x i1> zeroinitializer
  %either = select <16 x i1> %less, <16 x i1> splat (i1 true), <16 x i1> %inside
  %other = xor <16 x i1> %both, splat (i1 true)
  %chosen = select i1 %flip, <16 x i1> %either, <16 x i1> %other
  %left = and <16 x i1> %active, %chosen
  %kept = select <16 x i1> %left, <16 x float> %a, <16 x float> %b
  store <16 x float> %kept, ptr %x.at, align 4
  %bits = bitcast <16 x i1> %left to i16
  %any = icmp ne i16 %bits, 0
  %next = add nuw nsw i64 %i, 1
  br i1 %any, label %loop, label %done

done:
  %below = fcmp ult <8 x float> %small, splat (float 1.0)
  %above = fcmp ogt <8 x float> %small, splat (float 2.0)
  %out = or <8 x i1> %below, %above
  %numbers = zext <8 x i1> %out to <8 x i32>
  store <8 x i32> %numbers, ptr %to, align 4
  ret void
}

; ==== after ====
define void @k(ptr %x, ptr %y, i1 %flip, <8 x float> %small, ptr %to) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %0 = phi <16 x i32> [ splat (i32 -1), %entry ], [ %9, %loop ]
  %x.at = getelementptr <16 x float>, ptr %x, i64 %i
  %a = load <16 x float>, ptr %x.at, align 4
  %y.at = getelementptr <16 x float>, ptr %y, i64 %i
  %b = load <16 x float>, ptr %y.at, align 4
  %less = fcmp ult <16 x float> %a, %b
  %1 = sext <16 x i1> %less to <16 x i32>
  %inside = fcmp ult <16 x float> %b, splat (float 1.000000e+00)
  %2 = sext <16 x i1> %inside to <16 x i32>
  %3 = freeze <16 x i32> %2
  %4 = and <16 x i32> %1, %3
  %5 = freeze <16 x i32> %2
  %6 = or <16 x i32> %1, %5
  %7 = xor <16 x i32> %4, splat (i32 -1)
  %8 = select i1 %flip, <16 x i32> %6, <16 x i32> %7
  %9 = and <16 x i32> %0, %8
  %10 = icmp slt <16 x i32> %9, zeroinitializer
  %kept = select <16 x i1> %10, <16 x float> %a, <16 x float> %b
  store <16 x float> %kept, ptr %x.at, align 4
  %11 = shufflevector <16 x i32> %9, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %12 = shufflevector <16 x i32> %9, <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %13 = or <8 x i32> %11, %12
  %14 = icmp slt <8 x i32> %13, zeroinitializer
  %15 = bitcast <8 x i1> %14 to i8
  %16 = icmp ne i8 %15, 0
  %next = add nuw nsw i64 %i, 1
  br i1 %16, label %loop, label %done

done:                                             ; preds = %loop
  %below = fcmp ult <8 x float> %small, splat (float 1.000000e+00)
  %above = fcmp ogt <8 x float> %small, splat (float 2.000000e+00)
  %out = or <8 x i1> %below, %above
  %numbers = zext <8 x i1> %out to <8 x i32>
  store <8 x i32> %numbers, ptr %to, align 4
  ret void
}
