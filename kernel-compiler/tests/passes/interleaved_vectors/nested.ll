; Pairs that are put together are themselves put together twice.
define void @k(ptr %a, ptr %y) {
  %pairs = load <8 x i32>, ptr %a, align 8
  %x = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %twice.x = add <4 x i32> %x, %x
  %twice.y = add <4 x i32> %y.of, %y.of
  %all = shufflevector <4 x i32> %twice.x, <4 x i32> %twice.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  %again = shufflevector <8 x i32> %all, <8 x i32> %all, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <16 x i32> %again, ptr %y, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %y) {
block:
  %pairs = load <8 x i32>, ptr %a, align 8
  %0 = add <8 x i32> %pairs, %pairs
  %1 = shufflevector <8 x i32> %0, <8 x i32> poison, <16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
  store <16 x i32> %1, ptr %y, align 8
  ret void
}
