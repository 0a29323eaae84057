; A block that nothing leads to is left out.
define spir_kernel void @k(i1 %c) {
entry:
  ret void
nobody:
  br i1 %c, label %nobody, label %entry.too
entry.too:
  ret void
}

; ==== after ====
