; A stack that does not fit into SM is in DDR.
; stack: 0

define void @k(ptr %arguments, ptr %context) {
  %a = alloca [16 x i64], align 8
  %i = load i64, ptr %arguments, align 8
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p, align 8
  %q = load i64, ptr %a, align 8
  store i64 %q, ptr %p, align 8
  ret void
}

; ==== after ====
; lanes 0, counters 1, code 24 bytes, stack 384 bytes
; %block: 31 cycles = 7 compute + 0 scratchpad + 24 outside; 6 operations, Ddr bytes 5
