; A loop of sixteen independent chains of multiply-adds: three units need 16/3 cycles, below the latency of 6.

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
  %p0 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 0
  store <16 x double> %y0, ptr addrspace(3) %p0, align 128
  %p1 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 1
  store <16 x double> %y1, ptr addrspace(3) %p1, align 128
  %p2 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 2
  store <16 x double> %y2, ptr addrspace(3) %p2, align 128
  %p3 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 3
  store <16 x double> %y3, ptr addrspace(3) %p3, align 128
  %p4 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 4
  store <16 x double> %y4, ptr addrspace(3) %p4, align 128
  %p5 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 5
  store <16 x double> %y5, ptr addrspace(3) %p5, align 128
  %p6 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 6
  store <16 x double> %y6, ptr addrspace(3) %p6, align 128
  %p7 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 7
  store <16 x double> %y7, ptr addrspace(3) %p7, align 128
  %p8 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 8
  store <16 x double> %y8, ptr addrspace(3) %p8, align 128
  %p9 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 9
  store <16 x double> %y9, ptr addrspace(3) %p9, align 128
  %p10 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 10
  store <16 x double> %y10, ptr addrspace(3) %p10, align 128
  %p11 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 11
  store <16 x double> %y11, ptr addrspace(3) %p11, align 128
  %p12 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 12
  store <16 x double> %y12, ptr addrspace(3) %p12, align 128
  %p13 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 13
  store <16 x double> %y13, ptr addrspace(3) %p13, align 128
  %p14 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 14
  store <16 x double> %y14, ptr addrspace(3) %p14, align 128
  %p15 = getelementptr <16 x double>, ptr addrspace(3) %p, i64 15
  store <16 x double> %y15, ptr addrspace(3) %p15, align 128
  ret void
}

declare <16 x double> @llvm.fma.v16f64(<16 x double>, <16 x double>, <16 x double>)

; ==== after ====
; lanes 16, counters 3, code 144 bytes, stack 256 bytes
; %entry: 5 cycles = 5 compute + 0 scratchpad + 0 outside; 0 operations
; %loop: 6 cycles = 6 compute + 0 scratchpad + 0 outside; 19 operations; 16 lanes: operations 16, double flops 32
; %done: 8 cycles = 7 compute + 1 scratchpad + 0 outside; 17 operations, scratchpad bytes 2048; 16 lanes: operations 16
