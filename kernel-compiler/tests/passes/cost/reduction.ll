; A reduction waits for the previous iteration's sum: 3 cycles, or as long as the loads occupy their banks.

define void @k(ptr addrspace(3) %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi <16 x double> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %at = getelementptr <16 x double>, ptr addrspace(3) %p, i64 %i
  %x = load <16 x double>, ptr addrspace(3) %at, align 128
  %sum.next = fadd <16 x double> %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %all = call double @llvm.vector.reduce.fadd.v16f64(double 0.0, <16 x double> %sum.next)
  %all.more = fmul contract double %all, 2.0
  %all.most = fadd contract double %all.more, 1.0
  store double %all.most, ptr addrspace(3) %p, align 8
  ret void
}

declare double @llvm.vector.reduce.fadd.v16f64(double, <16 x double>)

; ==== after ====
; lanes 16, counters 3, code 88 bytes, stack 256 bytes
; %entry: 9 cycles = 6 compute + 3 scratchpad + 0 outside; 0 operations
; %loop: 3 cycles = 3 compute + 0 scratchpad + 0 outside; 5 operations, scratchpad bytes 128; 16 lanes: operations 2, double flops 1
; %done: 80 cycles = 27 compute + 53 scratchpad + 0 outside; 17 operations, scalar flops 2, scratchpad bytes 1032; 16 lanes: operations 14, double flops 1
