; A loop with two latches is not in rotated form.
define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %second
second:
  br i1 %d, label %loop, label %done
done:
  ret void
}

; ==== after ====
; %loop is in a cycle
; branch in %loop: influences %loop; joins at %second
; %second is in a cycle
; branch in %second: influences %loop %second; joins at %done
