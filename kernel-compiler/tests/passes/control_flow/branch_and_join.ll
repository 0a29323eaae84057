; A branch influences the blocks up to the join of its successors, its post-dominator.
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %meet
right:
  br label %meet
meet:
  ret void
}

; ==== after ====
; branch in %entry: influences %left %right; joins at %meet
