; Components stay apart where another use has them so: they would be computed twice.
define void @k(ptr %a, ptr %y, ptr %z) {
  %pairs = load <8 x float>, ptr %a, align 8
  %x = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %twice.x = fadd <4 x float> %x, %x
  %twice.y = fadd <4 x float> %y.of, %y.of
  %both = fadd <4 x float> %twice.x, %twice.y
  store <4 x float> %both, ptr %z, align 8
  %all = shufflevector <4 x float> %twice.x, <4 x float> %twice.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x float> %all, ptr %y, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %y, ptr %z) {
block:
  %pairs = load <8 x float>, ptr %a, align 8
  %x = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y.of = shufflevector <8 x float> %pairs, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %twice.x = fadd <4 x float> %x, %x
  %twice.y = fadd <4 x float> %y.of, %y.of
  %both = fadd <4 x float> %twice.x, %twice.y
  store <4 x float> %both, ptr %z, align 8
  %all = shufflevector <4 x float> %twice.x, <4 x float> %twice.y, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x float> %all, ptr %y, align 8
  ret void
}
