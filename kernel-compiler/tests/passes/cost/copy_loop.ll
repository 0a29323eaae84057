; A loop that copies floats in global memory: each iteration loads and stores two cache lines.

define void @k(ptr %arguments, ptr %context) {
entry:
  %from = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %to = load ptr addrspace(1), ptr %place, align 8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %from, i64 %i
  %x = load <16 x float>, ptr addrspace(1) %a, align 64
  %b = getelementptr float, ptr addrspace(1) %to, i64 %i
  store <16 x float> %x, ptr addrspace(1) %b, align 64
  %i.next = add nuw nsw i64 %i, 16
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %done

done:
  ret void
}

; ==== after ====
; lanes 16, counters 3, code 32 bytes, stack 256 bytes
; %entry: 235 cycles = 7 compute + 8 scratchpad + 220 outside; 2 operations, scratchpad bytes 16
; %loop: 34 cycles = 2 compute + 0 scratchpad + 32 outside; 5 operations, Ddr bytes 128; 16 lanes: operations 2
; %done: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 1 operations
