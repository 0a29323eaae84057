; A selection of lanes by a constant mask is one operation: nothing crosses lanes. A shuffle that
; moves elements to other lanes goes through AM.

define void @k(ptr addrspace(3) %x) {
entry:
  %a = load <16 x double>, ptr addrspace(3) %x, align 128
  %y = getelementptr i8, ptr addrspace(3) %x, i64 128
  %b = load <16 x double>, ptr addrspace(3) %y, align 128
  br label %blend

blend:
  %blended = shufflevector <16 x double> %a, <16 x double> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  br label %shuffle

shuffle:
  %shuffled = shufflevector <16 x double> %a, <16 x double> %blended, <16 x i32> <i32 1, i32 0, i32 3, i32 2, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  br label %store

store:
  store <16 x double> %shuffled, ptr addrspace(3) %x, align 128
  ret void
}

; ==== after ====
; lanes 16, counters 4, code 28 bytes, stack 256 bytes
; %entry: 9 cycles = 0 compute + 9 scratchpad + 0 outside; 2 operations, scratchpad bytes 256; 16 lanes: operations 2
; %blend: 1 cycles = 1 compute + 0 scratchpad + 0 outside; 1 operations; 16 lanes: operations 1
; %shuffle: 13 cycles = 0 compute + 13 scratchpad + 0 outside; 2 operations, scratchpad bytes 256; 16 lanes: operations 2
; %store: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 2 operations, scratchpad bytes 128; 16 lanes: operations 1
