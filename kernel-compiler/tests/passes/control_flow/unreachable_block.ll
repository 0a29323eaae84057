; An unreachable block is not analysed.
define spir_kernel void @k(i1 %c) {
entry:
  ret void
dead:
  br i1 %c, label %dead, label %entry.too
entry.too:
  ret void
}

; ==== after ====
