; Sixteen chains end up to five cycles after the first. The last results need not be complete when the
; next block begins, so that entering the loop costs fewer cycles than the staggered start does.

define void @k(ptr addrspace(3) %p, <16 x double> %a, <16 x double> %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x0 = phi <16 x double> [ %a, %entry ], [ %y0, %loop ]
  %x1 = phi <16 x double> [ %a, %entry ], [ %y1, %loop ]
  %x2 = phi <16 x double> [ %a, %entry ], [ %y2, %loop ]
  %x3 = phi <16 x double> [ %a, %entry ], [ %y3, %loop ]
  %x4 = phi <16 x double> [ %a, %entry ], [ %y4, %loop ]
  %x5 = phi <16 x double> [ %a, %entry ], [ %y5, %loop ]
  %x6 = phi <16 x double> [ %a, %entry ], [ %y6, %loop ]
  %x7 = phi <16 x double> [ %a, %entry ], [ %y7, %loop ]
  %x8 = phi <16 x double> [ %a, %entry ], [ %y8, %loop ]
  %x9 = phi <16 x double> [ %a, %entry ], [ %y9, %loop ]
  %x10 = phi <16 x double> [ %a, %entry ], [ %y10, %loop ]
  %x11 = phi <16 x double> [ %a, %entry ], [ %y11, %loop ]
  %x12 = phi <16 x double> [ %a, %entry ], [ %y12, %loop ]
  %x13 = phi <16 x double> [ %a, %entry ], [ %y13, %loop ]
  %x14 = phi <16 x double> [ %a, %entry ], [ %y14, %loop ]
  %x15 = phi <16 x double> [ %a, %entry ], [ %y15, %loop ]
  %y0 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x0, <16 x double> %a, <16 x double> %b)
  %y1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x1, <16 x double> %a, <16 x double> %b)
  %y2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x2, <16 x double> %a, <16 x double> %b)
  %y3 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x3, <16 x double> %a, <16 x double> %b)
  %y4 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x4, <16 x double> %a, <16 x double> %b)
  %y5 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x5, <16 x double> %a, <16 x double> %b)
  %y6 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x6, <16 x double> %a, <16 x double> %b)
  %y7 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x7, <16 x double> %a, <16 x double> %b)
  %y8 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x8, <16 x double> %a, <16 x double> %b)
  %y9 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x9, <16 x double> %a, <16 x double> %b)
  %y10 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x10, <16 x double> %a, <16 x double> %b)
  %y11 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x11, <16 x double> %a, <16 x double> %b)
  %y12 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x12, <16 x double> %a, <16 x double> %b)
  %y13 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x13, <16 x double> %a, <16 x double> %b)
  %y14 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x14, <16 x double> %a, <16 x double> %b)
  %y15 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x15, <16 x double> %a, <16 x double> %b)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %s1 = fadd <16 x double> %y0, %y1
  %s2 = fadd <16 x double> %s1, %y2
  %s3 = fadd <16 x double> %s2, %y3
  %s4 = fadd <16 x double> %s3, %y4
  %s5 = fadd <16 x double> %s4, %y5
  %s6 = fadd <16 x double> %s5, %y6
  %s7 = fadd <16 x double> %s6, %y7
  %s8 = fadd <16 x double> %s7, %y8
  %s9 = fadd <16 x double> %s8, %y9
  %s10 = fadd <16 x double> %s9, %y10
  %s11 = fadd <16 x double> %s10, %y11
  %s12 = fadd <16 x double> %s11, %y12
  %s13 = fadd <16 x double> %s12, %y13
  %s14 = fadd <16 x double> %s13, %y14
  %s15 = fadd <16 x double> %s14, %y15
  store <16 x double> %s15, ptr addrspace(3) %p, align 128
  ret void
}

declare <16 x double> @llvm.fma.v16f64(<16 x double>, <16 x double>, <16 x double>)

; ==== after ====
; lanes 16, counters 3, code 144 bytes, stack 256 bytes
; %entry: 3 cycles = 3 compute + 0 scratchpad + 0 outside; 0 operations
; %loop: 6 cycles = 6 compute + 0 scratchpad + 0 outside; 19 operations; 16 lanes: operations 16, double flops 32
; %done: 46 cycles = 45 compute + 1 scratchpad + 0 outside; 17 operations, scratchpad bytes 128; 16 lanes: operations 16, double flops 15
