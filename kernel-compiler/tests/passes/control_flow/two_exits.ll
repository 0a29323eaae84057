; A loop with two exiting blocks is not in rotated form.
define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  br i1 %c, label %latch, label %first.exit
latch:
  br i1 %d, label %loop, label %second.exit
first.exit:
  ret void
second.exit:
  ret void
}

; ==== after ====
; %loop is in a cycle
; branch in %loop: influences %loop %latch %first.exit %second.exit; joins at no block
; %latch is in a cycle
; branch in %latch: influences %loop %latch %first.exit %second.exit; joins at no block
