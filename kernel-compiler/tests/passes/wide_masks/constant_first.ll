; A constant and an argument are wide at the start of the function.
define void @k(ptr %x, i1 %flip, <16 x i1> %given, ptr %to) {
entry:
  br label %next

next:
  %a = load <16 x float>, ptr %x, align 4
  %less = fcmp ult <16 x float> %a, splat (float 1.0)
  %chosen = select i1 %flip, <16 x i1> splat (i1 true), <16 x i1> %less
  %both = and <16 x i1> %given, %chosen
  %numbers = zext <16 x i1> %both to <16 x i32>
  store <16 x i32> %numbers, ptr %to, align 4
  ret void
}

; ==== after ====
define void @k(ptr %x, i1 %flip, <16 x i1> %given, ptr %to) {
entry:
  %0 = sext <16 x i1> %given to <16 x i32>
  br label %next

next:                                             ; preds = %entry
  %a = load <16 x float>, ptr %x, align 4
  %less = fcmp ult <16 x float> %a, splat (float 1.000000e+00)
  %1 = sext <16 x i1> %less to <16 x i32>
  %2 = select i1 %flip, <16 x i32> splat (i32 -1), <16 x i32> %1
  %3 = and <16 x i32> %0, %2
  %4 = icmp slt <16 x i32> %3, zeroinitializer
  %numbers = zext <16 x i1> %4 to <16 x i32>
  store <16 x i32> %numbers, ptr %to, align 4
  ret void
}
