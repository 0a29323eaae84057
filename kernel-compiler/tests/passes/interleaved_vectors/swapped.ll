; Pairs whose components are swapped are put together of what was computed as they lie.
define void @k(ptr %a, ptr %b, ptr %y) {
  %pairs = load <8 x i32>, ptr %a, align 8
  %x = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %others = load <8 x i32>, ptr %b, align 8
  %other.x = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %other.y = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %sum.x = add <4 x i32> %x, %other.y
  %sum.y = add <4 x i32> %y.of, %other.x
  %masked.x = xor <4 x i32> %sum.x, splat (i32 -1)
  %masked.y = xor <4 x i32> %sum.y, splat (i32 7)
  %all = shufflevector <4 x i32> %masked.x, <4 x i32> %masked.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i32> %all, ptr %y, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %b, ptr %y) {
block:
  %pairs = load <8 x i32>, ptr %a, align 8
  %others = load <8 x i32>, ptr %b, align 8
  %other.x = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %other.y = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %0 = shufflevector <4 x i32> %other.y, <4 x i32> %other.x, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %1 = shufflevector <8 x i32> %0, <8 x i32> poison, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  %2 = add <8 x i32> %pairs, %1
  %3 = xor <8 x i32> %2, <i32 -1, i32 7, i32 -1, i32 7, i32 -1, i32 7, i32 -1, i32 7>
  store <8 x i32> %3, ptr %y, align 8
  ret void
}
