; Twelve elements of 32 bits do not fill two registers.
define i1 @k(<12 x i32> %a, <12 x i32> %b) {
entry:
  %less = icmp slt <12 x i32> %a, %b
  %small = icmp ult <12 x i32> %a, splat (i32 9)
  %both = and <12 x i1> %less, %small
  %bits = bitcast <12 x i1> %both to i12
  %any = icmp ne i12 %bits, 0
  ret i1 %any
}

; ==== after ====
define i1 @k(<12 x i32> %a, <12 x i32> %b) {
entry:
  %less = icmp slt <12 x i32> %a, %b
  %small = icmp ult <12 x i32> %a, splat (i32 9)
  %both = and <12 x i1> %less, %small
  %bits = bitcast <12 x i1> %both to i12
  %any = icmp ne i12 %bits, 0
  ret i1 %any
}
