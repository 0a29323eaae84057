; A block with a store that runs only for lanes of a mask, of which there may be none: its cost is a
; section of its own. Doubles of 16 lanes are two lines, each with a counter of its lanes.
declare void @__mocl3_predicated_lanes.16(<16 x i1>)
declare void @llvm.masked.store.v16f64.p1(<16 x double>, ptr addrspace(1), i32, <16 x i1>)
declare <16 x double> @llvm.masked.load.v16f64.p1(ptr addrspace(1), i32, <16 x i1>, <16 x double>)

define void @k(ptr %arguments, ptr %context) {
entry:
  %x = load ptr addrspace(1), ptr %arguments, align 8
  %mask = load <16 x i1>, ptr %context, align 2
  call void @__mocl3_predicated_lanes.16(<16 x i1> %mask)
  %loaded = call <16 x double> @llvm.masked.load.v16f64.p1(ptr addrspace(1) %x, i32 8, <16 x i1> %mask, <16 x double> poison)
  %twice = fadd <16 x double> %loaded, %loaded
  call void @llvm.masked.store.v16f64.p1(<16 x double> %twice, ptr addrspace(1) %x, i32 8, <16 x i1> %mask)
  ret void
}

; ==== after ====
; lanes 16, counters 4, code 24 bytes, stack 256 bytes
; %entry: 9 cycles = 7 compute + 2 scratchpad + 0 outside; 3 operations, scratchpad bytes 10; 16 lanes: operations 1
; section of counter 1: 264 cycles = 0 compute + 3 scratchpad + 261 outside; 3 operations; lanes in counter 3: Ddr bytes 128; lanes in counter 2: operations 3, double flops 1
