; A loop in rotated form: a preheader, one latch, which is the only exiting block, and a dedicated exit. Its branch influences the next iteration.
define spir_kernel void @k(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; loop: preheader %entry, header %loop, latch %loop, exit %done, blocks %loop
; %loop is in a cycle
; branch in %loop: influences %loop; joins at %done
