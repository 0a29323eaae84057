; A copy to a stack in DDR misses the data cache, as its stores do.
; stack: 0

define void @k(ptr %arguments, ptr %context) {
  %a = alloca [64 x i64], align 8
  %b = load ptr addrspace(1), ptr %arguments, align 8
  call void @llvm.memcpy.p0.p1.i64(ptr %a, ptr addrspace(1) %b, i64 512, i1 false)
  ret void
}

; ==== after ====
; lanes 0, counters 1, code 136 bytes, stack 768 bytes
; %block: 601 cycles = 7 compute + 0 scratchpad + 594 outside; 34 operations, Ddr bytes 556
