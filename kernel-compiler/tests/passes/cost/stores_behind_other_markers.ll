; Two iterations of an unrolled loop: both stores are behind the markers of both. Each is charged to the
; section of its own mask, with the lines of its own lanes.
declare void @__mocl3_predicated_lanes.16(<16 x i1>)
declare void @llvm.masked.store.v16f64.p1(<16 x double>, ptr addrspace(1), i32, <16 x i1>)

define void @k(ptr %arguments, ptr %context) {
entry:
  %x = load ptr addrspace(1), ptr %arguments, align 8
  %masks = getelementptr i8, ptr %context, i64 2
  %first = load <16 x i1>, ptr %context, align 2
  %second = load <16 x i1>, ptr %masks, align 2
  %y = getelementptr i8, ptr addrspace(1) %x, i64 4096
  call void @__mocl3_predicated_lanes.16(<16 x i1> %first)
  call void @__mocl3_predicated_lanes.16(<16 x i1> %second)
  call void @llvm.masked.store.v16f64.p1(<16 x double> splat (double 1.0), ptr addrspace(1) %x, i32 8, <16 x i1> %first)
  call void @llvm.masked.store.v16f64.p1(<16 x double> splat (double 1.0), ptr addrspace(1) %y, i32 8, <16 x i1> %second)
  ret void
}

; ==== after ====
; lanes 16, counters 7, code 24 bytes, stack 256 bytes
; %entry: 9 cycles = 7 compute + 2 scratchpad + 0 outside; 4 operations, scratchpad bytes 12; 16 lanes: operations 2
; section of counter 1: 1 cycles = 0 compute + 0 scratchpad + 1 outside; 1 operations; lanes in counter 5: Ddr bytes 64; lanes in counter 3: operations 1
; section of counter 2: 33 cycles = 0 compute + 0 scratchpad + 33 outside; 1 operations; lanes in counter 6: Ddr bytes 64; lanes in counter 4: operations 1
