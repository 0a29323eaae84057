; What is computed as pairs lie, and also put together with its components swapped, stays apart.
define void @k(ptr %a, ptr %b, ptr %y) {
  %pairs = load <8 x i32>, ptr %a, align 8
  %x = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %others = load <8 x i32>, ptr %b, align 8
  %other.x = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %other.y = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %sum.x = add <4 x i32> %x, %other.x
  %sum.y = add <4 x i32> %y.of, %other.y
  %product.x = mul <4 x i32> %sum.x, %sum.y
  %product.y = mul <4 x i32> %sum.y, %sum.x
  %all = shufflevector <4 x i32> %product.x, <4 x i32> %product.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i32> %all, ptr %y, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %b, ptr %y) {
block:
  %pairs = load <8 x i32>, ptr %a, align 8
  %x = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %others = load <8 x i32>, ptr %b, align 8
  %other.x = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %other.y = shufflevector <8 x i32> %others, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %sum.x = add <4 x i32> %x, %other.x
  %sum.y = add <4 x i32> %y.of, %other.y
  %product.x = mul <4 x i32> %sum.x, %sum.y
  %product.y = mul <4 x i32> %sum.y, %sum.x
  %all = shufflevector <4 x i32> %product.x, <4 x i32> %product.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i32> %all, ptr %y, align 8
  ret void
}
