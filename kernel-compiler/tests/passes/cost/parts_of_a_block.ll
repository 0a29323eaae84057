; Operations count for the lanes that are active, even if the set of active lanes changes within a block.

define void @k(ptr addrspace(3) %l, <16 x double> %a, <16 x i1> %some, <16 x i1> %others) {
entry:
  %b = fadd <16 x double> %a, %a
  call void @__mocl3_active_lanes.16(<16 x i1> %some)
  %c = fmul <16 x double> %b, %a
  %d = fmul <16 x double> %c, %a
  call void @__mocl3_active_lanes.16(<16 x i1> %others)
  %e = fdiv <16 x double> %d, %a
  call void @__mocl3_active_lanes.16(<16 x i1> splat (i1 true))
  %f = fadd <16 x double> %e, %a
  store <16 x double> %f, ptr addrspace(3) %l
  ret void
}

declare void @__mocl3_active_lanes.16(<16 x i1>)

; ==== after ====
; lanes 16, counters 3, code 64 bytes, stack 256 bytes
; %entry: 79 cycles = 78 compute + 1 scratchpad + 0 outside; 16 operations, scratchpad bytes 128; 16 lanes: operations 3, double flops 2; lanes in counter 1: operations 2, double flops 2; lanes in counter 2: operations 10, double flops 1
