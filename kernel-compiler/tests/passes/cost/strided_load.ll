; Lanes with strides of 4, 24 and 512 bytes, and with arbitrary addresses, in global and in local memory.

define void @k(ptr addrspace(1) %g, ptr addrspace(3) %l, <16 x i64> %any) {
consecutive:
  %a = load <16 x float>, ptr addrspace(1) %g, align 4
  store <16 x float> %a, ptr addrspace(3) %l, align 4
  br label %near

near:
  %b.at = getelementptr i8, ptr addrspace(1) %g, <16 x i64> <i64 0, i64 24, i64 48, i64 72, i64 96, i64 120, i64 144, i64 168, i64 192, i64 216, i64 240, i64 264, i64 288, i64 312, i64 336, i64 360>
  %b = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %b.at, <16 x i1> splat (i1 true), <16 x float> poison)
  store <16 x float> %b, ptr addrspace(3) %l, align 4
  br label %far

far:
  %c.by = mul <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, splat (i64 128)
  %c.at = getelementptr float, ptr addrspace(1) %g, <16 x i64> %c.by
  %c = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %c.at, <16 x i1> splat (i1 true), <16 x float> poison)
  %d.at = getelementptr float, ptr addrspace(3) %l, <16 x i64> %c.by
  call void @llvm.masked.scatter.v16f32.v16p3(<16 x float> %c, <16 x ptr addrspace(3)> align 4 %d.at, <16 x i1> splat (i1 true))
  br label %anywhere

anywhere:
  %e.at = getelementptr float, ptr addrspace(1) %g, <16 x i64> %any
  %e = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %e.at, <16 x i1> splat (i1 true), <16 x float> poison)
  %f.at = getelementptr float, ptr addrspace(3) %l, <16 x i64> %any
  call void @llvm.masked.scatter.v16f32.v16p3(<16 x float> %e, <16 x ptr addrspace(3)> align 4 %f.at, <16 x i1> splat (i1 true))
  ret void
}

; ==== after ====
; lanes 16, counters 4, code 60 bytes, stack 256 bytes
; %consecutive: 261 cycles = 0 compute + 1 scratchpad + 260 outside; 2 operations, scratchpad bytes 64, Ddr bytes 64; 16 lanes: operations 2
; %near: 262 cycles = 1 compute + 1 scratchpad + 260 outside; 3 operations, scratchpad bytes 64, Ddr bytes 384; 16 lanes: operations 3
; %far: 266 cycles = 6 compute + 1 scratchpad + 259 outside; 5 operations, scratchpad bytes 64, Ddr bytes 1024; 16 lanes: operations 5
; %anywhere: 262 cycles = 7 compute + 0 scratchpad + 255 outside; 5 operations, scratchpad bytes 64, Ddr bytes 1024; 16 lanes: operations 4
