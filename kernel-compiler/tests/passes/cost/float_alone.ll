; A single chain of floats cannot be paired: each operation uses one half of its register.

define void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %a0 = load <16 x float>, ptr addrspace(1) %p, align 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x0 = phi <16 x float> [ %a0, %entry ], [ %z0, %loop ]
  %y0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x0, <16 x float> splat (float 2.0), <16 x float> %x0)
  %z0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y0, <16 x float> splat (float 3.0), <16 x float> %x0)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store <16 x float> %z0, ptr addrspace(1) %p, align 16
  ret void
}

declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

; ==== after ====
; lanes 16, counters 3, code 32 bytes, stack 256 bytes
; %entry: 260 cycles = 0 compute + 0 scratchpad + 260 outside; 1 operations, Ddr bytes 64; 16 lanes: operations 1
; %loop: 12 cycles = 12 compute + 0 scratchpad + 0 outside; 5 operations; 16 lanes: operations 2, single flops 4
; %done: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 2 operations, Ddr bytes 64; 16 lanes: operations 1
