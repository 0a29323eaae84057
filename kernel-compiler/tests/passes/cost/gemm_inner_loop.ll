; The inner loop of a matrix product as in the GEMM papers: 6 rows of A in SM times 48 columns of B in
; AM, unrolled by two. 36 multiply-adds on three units: 12 cycles. The papers give 14 + 6 k + 12 cycles; with
; k = 2 n the model gives 12 n, and the cost of the loop's entry.

define void @k(ptr %a, ptr addrspace(3) %b, ptr addrspace(3) %c, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %c0_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c0_0.2, %loop ]
  %c0_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c0_1.2, %loop ]
  %c0_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c0_2.2, %loop ]
  %c1_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c1_0.2, %loop ]
  %c1_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c1_1.2, %loop ]
  %c1_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c1_2.2, %loop ]
  %c2_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c2_0.2, %loop ]
  %c2_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c2_1.2, %loop ]
  %c2_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c2_2.2, %loop ]
  %c3_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c3_0.2, %loop ]
  %c3_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c3_1.2, %loop ]
  %c3_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c3_2.2, %loop ]
  %c4_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c4_0.2, %loop ]
  %c4_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c4_1.2, %loop ]
  %c4_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c4_2.2, %loop ]
  %c5_0 = phi <16 x double> [ zeroinitializer, %entry ], [ %c5_0.2, %loop ]
  %c5_1 = phi <16 x double> [ zeroinitializer, %entry ], [ %c5_1.2, %loop ]
  %c5_2 = phi <16 x double> [ zeroinitializer, %entry ], [ %c5_2.2, %loop ]
  %a.row = getelementptr double, ptr %a, i64 %i
  %b.by = mul nuw nsw i64 %i, 3
  %b.row = getelementptr <16 x double>, ptr addrspace(3) %b, i64 %b.by
  %a0.0.at = getelementptr double, ptr %a.row, i64 0
  %a0.0 = load double, ptr %a0.0.at, align 8
  %a0.0.one = insertelement <16 x double> poison, double %a0.0, i64 0
  %a0.0.all = shufflevector <16 x double> %a0.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a1.0.at = getelementptr double, ptr %a.row, i64 512
  %a1.0 = load double, ptr %a1.0.at, align 8
  %a1.0.one = insertelement <16 x double> poison, double %a1.0, i64 0
  %a1.0.all = shufflevector <16 x double> %a1.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a2.0.at = getelementptr double, ptr %a.row, i64 1024
  %a2.0 = load double, ptr %a2.0.at, align 8
  %a2.0.one = insertelement <16 x double> poison, double %a2.0, i64 0
  %a2.0.all = shufflevector <16 x double> %a2.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a3.0.at = getelementptr double, ptr %a.row, i64 1536
  %a3.0 = load double, ptr %a3.0.at, align 8
  %a3.0.one = insertelement <16 x double> poison, double %a3.0, i64 0
  %a3.0.all = shufflevector <16 x double> %a3.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a4.0.at = getelementptr double, ptr %a.row, i64 2048
  %a4.0 = load double, ptr %a4.0.at, align 8
  %a4.0.one = insertelement <16 x double> poison, double %a4.0, i64 0
  %a4.0.all = shufflevector <16 x double> %a4.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a5.0.at = getelementptr double, ptr %a.row, i64 2560
  %a5.0 = load double, ptr %a5.0.at, align 8
  %a5.0.one = insertelement <16 x double> poison, double %a5.0, i64 0
  %a5.0.all = shufflevector <16 x double> %a5.0.one, <16 x double> poison, <16 x i32> zeroinitializer
  %b0.0.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 0
  %b0.0 = load <16 x double>, ptr addrspace(3) %b0.0.at, align 128
  %b1.0.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 1
  %b1.0 = load <16 x double>, ptr addrspace(3) %b1.0.at, align 128
  %b2.0.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 2
  %b2.0 = load <16 x double>, ptr addrspace(3) %b2.0.at, align 128
  %a0.1.at = getelementptr double, ptr %a.row, i64 1
  %a0.1 = load double, ptr %a0.1.at, align 8
  %a0.1.one = insertelement <16 x double> poison, double %a0.1, i64 0
  %a0.1.all = shufflevector <16 x double> %a0.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a1.1.at = getelementptr double, ptr %a.row, i64 513
  %a1.1 = load double, ptr %a1.1.at, align 8
  %a1.1.one = insertelement <16 x double> poison, double %a1.1, i64 0
  %a1.1.all = shufflevector <16 x double> %a1.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a2.1.at = getelementptr double, ptr %a.row, i64 1025
  %a2.1 = load double, ptr %a2.1.at, align 8
  %a2.1.one = insertelement <16 x double> poison, double %a2.1, i64 0
  %a2.1.all = shufflevector <16 x double> %a2.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a3.1.at = getelementptr double, ptr %a.row, i64 1537
  %a3.1 = load double, ptr %a3.1.at, align 8
  %a3.1.one = insertelement <16 x double> poison, double %a3.1, i64 0
  %a3.1.all = shufflevector <16 x double> %a3.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a4.1.at = getelementptr double, ptr %a.row, i64 2049
  %a4.1 = load double, ptr %a4.1.at, align 8
  %a4.1.one = insertelement <16 x double> poison, double %a4.1, i64 0
  %a4.1.all = shufflevector <16 x double> %a4.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %a5.1.at = getelementptr double, ptr %a.row, i64 2561
  %a5.1 = load double, ptr %a5.1.at, align 8
  %a5.1.one = insertelement <16 x double> poison, double %a5.1, i64 0
  %a5.1.all = shufflevector <16 x double> %a5.1.one, <16 x double> poison, <16 x i32> zeroinitializer
  %b0.1.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 3
  %b0.1 = load <16 x double>, ptr addrspace(3) %b0.1.at, align 128
  %b1.1.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 4
  %b1.1 = load <16 x double>, ptr addrspace(3) %b1.1.at, align 128
  %b2.1.at = getelementptr <16 x double>, ptr addrspace(3) %b.row, i64 5
  %b2.1 = load <16 x double>, ptr addrspace(3) %b2.1.at, align 128
  %c0_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.0.all, <16 x double> %b0.0, <16 x double> %c0_0)
  %c0_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.0.all, <16 x double> %b1.0, <16 x double> %c0_1)
  %c0_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.0.all, <16 x double> %b2.0, <16 x double> %c0_2)
  %c1_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.0.all, <16 x double> %b0.0, <16 x double> %c1_0)
  %c1_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.0.all, <16 x double> %b1.0, <16 x double> %c1_1)
  %c1_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.0.all, <16 x double> %b2.0, <16 x double> %c1_2)
  %c2_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.0.all, <16 x double> %b0.0, <16 x double> %c2_0)
  %c2_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.0.all, <16 x double> %b1.0, <16 x double> %c2_1)
  %c2_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.0.all, <16 x double> %b2.0, <16 x double> %c2_2)
  %c3_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.0.all, <16 x double> %b0.0, <16 x double> %c3_0)
  %c3_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.0.all, <16 x double> %b1.0, <16 x double> %c3_1)
  %c3_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.0.all, <16 x double> %b2.0, <16 x double> %c3_2)
  %c4_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.0.all, <16 x double> %b0.0, <16 x double> %c4_0)
  %c4_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.0.all, <16 x double> %b1.0, <16 x double> %c4_1)
  %c4_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.0.all, <16 x double> %b2.0, <16 x double> %c4_2)
  %c5_0.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.0.all, <16 x double> %b0.0, <16 x double> %c5_0)
  %c5_1.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.0.all, <16 x double> %b1.0, <16 x double> %c5_1)
  %c5_2.1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.0.all, <16 x double> %b2.0, <16 x double> %c5_2)
  %c0_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.1.all, <16 x double> %b0.1, <16 x double> %c0_0.1)
  %c0_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.1.all, <16 x double> %b1.1, <16 x double> %c0_1.1)
  %c0_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a0.1.all, <16 x double> %b2.1, <16 x double> %c0_2.1)
  %c1_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.1.all, <16 x double> %b0.1, <16 x double> %c1_0.1)
  %c1_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.1.all, <16 x double> %b1.1, <16 x double> %c1_1.1)
  %c1_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a1.1.all, <16 x double> %b2.1, <16 x double> %c1_2.1)
  %c2_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.1.all, <16 x double> %b0.1, <16 x double> %c2_0.1)
  %c2_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.1.all, <16 x double> %b1.1, <16 x double> %c2_1.1)
  %c2_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a2.1.all, <16 x double> %b2.1, <16 x double> %c2_2.1)
  %c3_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.1.all, <16 x double> %b0.1, <16 x double> %c3_0.1)
  %c3_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.1.all, <16 x double> %b1.1, <16 x double> %c3_1.1)
  %c3_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a3.1.all, <16 x double> %b2.1, <16 x double> %c3_2.1)
  %c4_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.1.all, <16 x double> %b0.1, <16 x double> %c4_0.1)
  %c4_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.1.all, <16 x double> %b1.1, <16 x double> %c4_1.1)
  %c4_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a4.1.all, <16 x double> %b2.1, <16 x double> %c4_2.1)
  %c5_0.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.1.all, <16 x double> %b0.1, <16 x double> %c5_0.1)
  %c5_1.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.1.all, <16 x double> %b1.1, <16 x double> %c5_1.1)
  %c5_2.2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %a5.1.all, <16 x double> %b2.1, <16 x double> %c5_2.1)
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %s0_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 0
  store <16 x double> %c0_0.2, ptr addrspace(3) %s0_0, align 128
  %s0_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 1
  store <16 x double> %c0_1.2, ptr addrspace(3) %s0_1, align 128
  %s0_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 2
  store <16 x double> %c0_2.2, ptr addrspace(3) %s0_2, align 128
  %s1_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 3
  store <16 x double> %c1_0.2, ptr addrspace(3) %s1_0, align 128
  %s1_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 4
  store <16 x double> %c1_1.2, ptr addrspace(3) %s1_1, align 128
  %s1_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 5
  store <16 x double> %c1_2.2, ptr addrspace(3) %s1_2, align 128
  %s2_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 6
  store <16 x double> %c2_0.2, ptr addrspace(3) %s2_0, align 128
  %s2_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 7
  store <16 x double> %c2_1.2, ptr addrspace(3) %s2_1, align 128
  %s2_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 8
  store <16 x double> %c2_2.2, ptr addrspace(3) %s2_2, align 128
  %s3_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 9
  store <16 x double> %c3_0.2, ptr addrspace(3) %s3_0, align 128
  %s3_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 10
  store <16 x double> %c3_1.2, ptr addrspace(3) %s3_1, align 128
  %s3_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 11
  store <16 x double> %c3_2.2, ptr addrspace(3) %s3_2, align 128
  %s4_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 12
  store <16 x double> %c4_0.2, ptr addrspace(3) %s4_0, align 128
  %s4_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 13
  store <16 x double> %c4_1.2, ptr addrspace(3) %s4_1, align 128
  %s4_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 14
  store <16 x double> %c4_2.2, ptr addrspace(3) %s4_2, align 128
  %s5_0 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 15
  store <16 x double> %c5_0.2, ptr addrspace(3) %s5_0, align 128
  %s5_1 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 16
  store <16 x double> %c5_1.2, ptr addrspace(3) %s5_1, align 128
  %s5_2 = getelementptr <16 x double>, ptr addrspace(3) %c, i64 17
  store <16 x double> %c5_2.2, ptr addrspace(3) %s5_2, align 128
  ret void
}

declare <16 x double> @llvm.fma.v16f64(<16 x double>, <16 x double>, <16 x double>)

; ==== after ====
; lanes 16, counters 3, code 352 bytes, stack 256 bytes
; %entry: 16 cycles = 9 compute + 7 scratchpad + 0 outside; 0 operations
; %loop: 12 cycles = 12 compute + 0 scratchpad + 0 outside; 69 operations, scratchpad bytes 864; 16 lanes: operations 42, double flops 72
; %done: 9 cycles = 7 compute + 2 scratchpad + 0 outside; 19 operations, scratchpad bytes 2304; 16 lanes: operations 18
