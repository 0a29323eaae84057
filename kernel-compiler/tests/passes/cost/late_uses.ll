; A pointer chase of which the last result is used long after the loop: an iteration still waits for
; the load of the one before, 260 cycles, and the addition of the address.

define void @k(ptr addrspace(1) %x, i32 %n, <16 x i64> %first, i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %place = phi <16 x i64> [ %first, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i64, ptr addrspace(1) %x, <16 x i64> %place
  %next = call <16 x i64> @llvm.masked.gather.v16i64.v16p1(<16 x ptr addrspace(1)> align 8 %at, <16 x i1> splat (i1 true), <16 x i64> poison)
  %more = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop

end:
  %one = shl i64 %a, 4
  %two = add i64 %one, %b
  %three = and i64 %two, 4294967295
  %out = getelementptr inbounds i64, ptr addrspace(1) %x, i64 %three
  store <16 x i64> %next, ptr addrspace(1) %out, align 8
  ret void
}

declare <16 x i64> @llvm.masked.gather.v16i64.v16p1(<16 x ptr addrspace(1)>, <16 x i1>, <16 x i64>)

; ==== after ====
; lanes 16, counters 3, code 44 bytes, stack 256 bytes
; %entry: 0 cycles = 0 compute + 0 scratchpad + 0 outside; 0 operations
; %loop: 261 cycles = 9 compute + 0 scratchpad + 252 outside; 5 operations, Ddr bytes 1024; 16 lanes: operations 2
; %end: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 6 operations, Ddr bytes 128; 16 lanes: operations 1
