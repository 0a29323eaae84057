; Inner loops come before outer ones.
define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %outer.latch
outer.latch:
  br i1 %d, label %outer, label %done
done:
  ret void
}

; ==== after ====
; loop: preheader %outer, header %inner, latch %inner, exit %outer.latch, blocks %inner
; loop: preheader %entry, header %outer, latch %outer.latch, exit %done, blocks %outer %inner %outer.latch
; %outer is in a cycle
; %inner is in a cycle
; branch in %inner: influences %inner; joins at %outer.latch
; %outer.latch is in a cycle
; branch in %outer.latch: influences %outer %inner %outer.latch; joins at %done
