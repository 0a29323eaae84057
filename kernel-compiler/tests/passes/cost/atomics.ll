; Atomic operations take the lock of the kernel argument that they are on.

define void @k(ptr %arguments, ptr %context) {
  %a = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 16
  %b = load ptr addrspace(1), ptr %place, align 8
  %c = load ptr addrspace(1), ptr addrspace(1) %a, align 8
  %at = getelementptr i32, ptr addrspace(1) %b, i64 7
  %x = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic
  %y = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic
  %z = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %w = atomicrmw add ptr addrspace(1) %c, i32 1 monotonic
  ret void
}

; ==== after ====
; lanes 0, counters 1, code 64 bytes, stack 256 bytes
; %block: 17 cycles = 9 compute + 7 scratchpad + 1 outside; 16 operations, scratchpad bytes 16, Ddr bytes 512
; lock 1: 2 times in block 0
; lock 0: 1 times in block 0
; lock 63: 1 times in block 0
