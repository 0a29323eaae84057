; What is chosen are bytes, which one register holds: vectors of bytes suit that.
define void @k(<16 x i32> %a, <16 x i32> %b, <16 x i8> %c, <16 x i8> %d, ptr %to) {
entry:
  %less = icmp slt <16 x i32> %a, %b
  %small = icmp ult <16 x i32> %a, splat (i32 9)
  %both = and <16 x i1> %less, %small
  %chosen = select <16 x i1> %both, <16 x i8> %c, <16 x i8> %d
  store <16 x i8> %chosen, ptr %to, align 1
  ret void
}

; ==== after ====
define void @k(<16 x i32> %a, <16 x i32> %b, <16 x i8> %c, <16 x i8> %d, ptr %to) {
entry:
  %less = icmp slt <16 x i32> %a, %b
  %small = icmp ult <16 x i32> %a, splat (i32 9)
  %both = and <16 x i1> %less, %small
  %chosen = select <16 x i1> %both, <16 x i8> %c, <16 x i8> %d
  store <16 x i8> %chosen, ptr %to, align 1
  ret void
}
