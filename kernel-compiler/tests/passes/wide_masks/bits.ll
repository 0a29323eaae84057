; The bits of a condition are those of its registers: one after the other, or combined for all lanes. Comparisons carried
; from block to block are those of the size of what is chosen.
define i16 @k(<16 x i32> %a, <16 x i32> %b, <16 x i64> %n, ptr %to) {
entry:
  %less = icmp slt <16 x i32> %a, zeroinitializer
  %equal = icmp eq <16 x i32> %a, %b
  %or = or <16 x i1> %less, %equal
  %bits = bitcast <16 x i1> %or to i16
  %third = extractelement <16 x i1> %or, i64 3
  %far = icmp ult <16 x i64> %n, splat (i64 70)
  %far.bits = bitcast <16 x i1> %far to i16
  %all = icmp eq i16 %far.bits, -1
  br i1 %all, label %choose, label %done

choose:
  %chosen = select <16 x i1> %far, <16 x i32> %a, <16 x i32> %b
  store <16 x i32> %chosen, ptr %to, align 4
  br label %done

done:
  %more = select i1 %third, i16 %bits, i16 7
  ret i16 %more
}

; ==== after ====
define i16 @k(<16 x i32> %a, <16 x i32> %b, <16 x i64> %n, ptr %to) {
entry:
  %less = icmp slt <16 x i32> %a, zeroinitializer
  %equal = icmp eq <16 x i32> %a, %b
  %0 = sext <16 x i1> %equal to <16 x i32>
  %1 = or <16 x i32> %a, %0
  %2 = shufflevector <16 x i32> %1, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %3 = shufflevector <16 x i32> %1, <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %4 = icmp slt <8 x i32> %2, zeroinitializer
  %5 = bitcast <8 x i1> %4 to i8
  %6 = zext i8 %5 to i16
  %7 = shl i16 %6, 0
  %8 = icmp slt <8 x i32> %3, zeroinitializer
  %9 = bitcast <8 x i1> %8 to i8
  %10 = zext i8 %9 to i16
  %11 = shl i16 %10, 8
  %12 = or i16 %7, %11
  %13 = lshr i16 %12, 3
  %14 = trunc i16 %13 to i1
  %far = icmp ult <16 x i64> %n, splat (i64 70)
  %15 = sext <16 x i1> %far to <16 x i32>
  %16 = shufflevector <16 x i32> %15, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %17 = shufflevector <16 x i32> %15, <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %18 = and <8 x i32> %16, %17
  %19 = icmp slt <8 x i32> %18, zeroinitializer
  %20 = bitcast <8 x i1> %19 to i8
  %21 = icmp eq i8 %20, -1
  br i1 %21, label %choose, label %done

choose:                                           ; preds = %entry
  %22 = icmp slt <16 x i32> %15, zeroinitializer
  %chosen = select <16 x i1> %22, <16 x i32> %a, <16 x i32> %b
  store <16 x i32> %chosen, ptr %to, align 4
  br label %done

done:                                             ; preds = %choose, %entry
  %more = select i1 %14, i16 %12, i16 7
  ret i16 %more
}
