; Independent copies of 32 bytes from global to local memory overlap.

define void @k(ptr %arguments, ptr %context, ptr addrspace(3) %l) {
  %a = load ptr addrspace(1), ptr %arguments, align 8
  %b = getelementptr i8, ptr addrspace(1) %a, i64 128
  %m = getelementptr i8, ptr addrspace(3) %l, i64 32
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %l, ptr addrspace(1) %a, i64 32, i1 false)
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %m, ptr addrspace(1) %b, i64 32, i1 false)
  ret void
}

; ==== after ====
; lanes 0, counters 1, code 24 bytes, stack 256 bytes
; %block: 298 cycles = 7 compute + 7 scratchpad + 284 outside; 6 operations, scratchpad bytes 72, Ddr bytes 128
