; Two returns: the successors of a branch need not join.
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  ret void
right:
  ret void
}

; ==== after ====
; branch in %entry: influences %left %right; joins at no block
