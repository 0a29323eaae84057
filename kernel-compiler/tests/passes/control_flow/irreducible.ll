; A cycle with two entries is no natural loop, but its blocks are in a cycle.
define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %d, label %a, label %done
done:
  ret void
}

; ==== after ====
; branch in %entry: influences %a; joins at %b
; %a is in a cycle
; %b is in a cycle
; branch in %b: influences %a %b; joins at %done
