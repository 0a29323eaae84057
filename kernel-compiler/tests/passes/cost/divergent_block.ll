; In a divergent block active lanes are counted, and costs are given per active lane.

define void @k(ptr addrspace(1) %g, <16 x i64> %any, <16 x i1> %mask) {
entry:
  %bits = bitcast <16 x i1> %mask to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %after, label %some

some:
  call void @__mocl3_active_lanes.16(<16 x i1> %mask)
  %e.at = getelementptr float, ptr addrspace(1) %g, <16 x i64> %any
  %e = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %e.at, <16 x i1> %mask, <16 x float> poison)
  %f = fadd <16 x float> %e, splat (float 1.0)
  call void @llvm.masked.scatter.v16f32.v16p1(<16 x float> %f, <16 x ptr addrspace(1)> align 4 %e.at, <16 x i1> %mask)
  br label %after

after:
  call void @__mocl3_at_barrier()
  ret void
}

declare void @__mocl3_active_lanes.16(<16 x i1>)

declare void @__mocl3_at_barrier()

; ==== after ====
; lanes 16, counters 4, code 32 bytes, stack 256 bytes
; %entry: 13 cycles = 13 compute + 0 scratchpad + 0 outside; 3 operations; 16 lanes: operations 1
; %some: 265 cycles = 4 compute + 0 scratchpad + 261 outside; 4 operations; lanes in counter 3: operations 4, single flops 1, outside 34, Ddr bytes 128
; %after: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 1 operations, barrier 20
