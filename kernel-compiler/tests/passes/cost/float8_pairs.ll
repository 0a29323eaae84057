; Components of float8 share registers in pairs: eight chains of two operations are eight operations, not sixteen.

define void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %v = load <128 x float>, ptr addrspace(1) %p, align 16
  %a0 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 0, i32 8, i32 16, i32 24, i32 32, i32 40, i32 48, i32 56, i32 64, i32 72, i32 80, i32 88, i32 96, i32 104, i32 112, i32 120>
  %a1 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 1, i32 9, i32 17, i32 25, i32 33, i32 41, i32 49, i32 57, i32 65, i32 73, i32 81, i32 89, i32 97, i32 105, i32 113, i32 121>
  %a2 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 2, i32 10, i32 18, i32 26, i32 34, i32 42, i32 50, i32 58, i32 66, i32 74, i32 82, i32 90, i32 98, i32 106, i32 114, i32 122>
  %a3 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 3, i32 11, i32 19, i32 27, i32 35, i32 43, i32 51, i32 59, i32 67, i32 75, i32 83, i32 91, i32 99, i32 107, i32 115, i32 123>
  %a4 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 4, i32 12, i32 20, i32 28, i32 36, i32 44, i32 52, i32 60, i32 68, i32 76, i32 84, i32 92, i32 100, i32 108, i32 116, i32 124>
  %a5 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 5, i32 13, i32 21, i32 29, i32 37, i32 45, i32 53, i32 61, i32 69, i32 77, i32 85, i32 93, i32 101, i32 109, i32 117, i32 125>
  %a6 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 6, i32 14, i32 22, i32 30, i32 38, i32 46, i32 54, i32 62, i32 70, i32 78, i32 86, i32 94, i32 102, i32 110, i32 118, i32 126>
  %a7 = shufflevector <128 x float> %v, <128 x float> poison, <16 x i32> <i32 7, i32 15, i32 23, i32 31, i32 39, i32 47, i32 55, i32 63, i32 71, i32 79, i32 87, i32 95, i32 103, i32 111, i32 119, i32 127>
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x0 = phi <16 x float> [ %a0, %entry ], [ %z0, %loop ]
  %x1 = phi <16 x float> [ %a1, %entry ], [ %z1, %loop ]
  %x2 = phi <16 x float> [ %a2, %entry ], [ %z2, %loop ]
  %x3 = phi <16 x float> [ %a3, %entry ], [ %z3, %loop ]
  %x4 = phi <16 x float> [ %a4, %entry ], [ %z4, %loop ]
  %x5 = phi <16 x float> [ %a5, %entry ], [ %z5, %loop ]
  %x6 = phi <16 x float> [ %a6, %entry ], [ %z6, %loop ]
  %x7 = phi <16 x float> [ %a7, %entry ], [ %z7, %loop ]
  %y0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x0, <16 x float> splat (float 2.0), <16 x float> %x0)
  %y1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x1, <16 x float> splat (float 2.0), <16 x float> %x1)
  %y2 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x2, <16 x float> splat (float 2.0), <16 x float> %x2)
  %y3 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x3, <16 x float> splat (float 2.0), <16 x float> %x3)
  %y4 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x4, <16 x float> splat (float 2.0), <16 x float> %x4)
  %y5 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x5, <16 x float> splat (float 2.0), <16 x float> %x5)
  %y6 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x6, <16 x float> splat (float 2.0), <16 x float> %x6)
  %y7 = call <16 x float> @llvm.fma.v16f32(<16 x float> %x7, <16 x float> splat (float 2.0), <16 x float> %x7)
  %z0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y0, <16 x float> splat (float 3.0), <16 x float> %x0)
  %z1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y1, <16 x float> splat (float 3.0), <16 x float> %x1)
  %z2 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y2, <16 x float> splat (float 3.0), <16 x float> %x2)
  %z3 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y3, <16 x float> splat (float 3.0), <16 x float> %x3)
  %z4 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y4, <16 x float> splat (float 3.0), <16 x float> %x4)
  %z5 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y5, <16 x float> splat (float 3.0), <16 x float> %x5)
  %z6 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y6, <16 x float> splat (float 3.0), <16 x float> %x6)
  %z7 = call <16 x float> @llvm.fma.v16f32(<16 x float> %y7, <16 x float> splat (float 3.0), <16 x float> %x7)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %cat0 = shufflevector <16 x float> %z0, <16 x float> %z1, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cat1 = shufflevector <16 x float> %z2, <16 x float> %z3, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cat2 = shufflevector <16 x float> %z4, <16 x float> %z5, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cat3 = shufflevector <16 x float> %z6, <16 x float> %z7, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cat4 = shufflevector <32 x float> %cat0, <32 x float> %cat1, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %cat5 = shufflevector <32 x float> %cat2, <32 x float> %cat3, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %cat6 = shufflevector <64 x float> %cat4, <64 x float> %cat5, <128 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126, i32 127>
  %out = shufflevector <128 x float> %cat6, <128 x float> poison, <128 x i32> <i32 0, i32 16, i32 32, i32 48, i32 64, i32 80, i32 96, i32 112, i32 1, i32 17, i32 33, i32 49, i32 65, i32 81, i32 97, i32 113, i32 2, i32 18, i32 34, i32 50, i32 66, i32 82, i32 98, i32 114, i32 3, i32 19, i32 35, i32 51, i32 67, i32 83, i32 99, i32 115, i32 4, i32 20, i32 36, i32 52, i32 68, i32 84, i32 100, i32 116, i32 5, i32 21, i32 37, i32 53, i32 69, i32 85, i32 101, i32 117, i32 6, i32 22, i32 38, i32 54, i32 70, i32 86, i32 102, i32 118, i32 7, i32 23, i32 39, i32 55, i32 71, i32 87, i32 103, i32 119, i32 8, i32 24, i32 40, i32 56, i32 72, i32 88, i32 104, i32 120, i32 9, i32 25, i32 41, i32 57, i32 73, i32 89, i32 105, i32 121, i32 10, i32 26, i32 42, i32 58, i32 74, i32 90, i32 106, i32 122, i32 11, i32 27, i32 43, i32 59, i32 75, i32 91, i32 107, i32 123, i32 12, i32 28, i32 44, i32 60, i32 76, i32 92, i32 108, i32 124, i32 13, i32 29, i32 45, i32 61, i32 77, i32 93, i32 109, i32 125, i32 14, i32 30, i32 46, i32 62, i32 78, i32 94, i32 110, i32 126, i32 15, i32 31, i32 47, i32 63, i32 79, i32 95, i32 111, i32 127>
  store <128 x float> %out, ptr addrspace(1) %p, align 16
  ret void
}

declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

; ==== after ====
; lanes 16, counters 3, code 64 bytes, stack 256 bytes
; %entry: 261 cycles = 1 compute + 0 scratchpad + 260 outside; 2 operations, Ddr bytes 512; 16 lanes: operations 2
; %loop: 12 cycles = 12 compute + 0 scratchpad + 0 outside; 11 operations; 16 lanes: operations 8, single flops 32
; %done: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 3 operations, Ddr bytes 512; 16 lanes: operations 2
