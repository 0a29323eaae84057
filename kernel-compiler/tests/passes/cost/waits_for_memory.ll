; If an iteration loads what the previous one stored, iterations do not overlap. The buffers of different arguments do not alias.

define void @k(ptr %arguments, ptr %context, i64 %n) {
entry:
  %a = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %b = load ptr addrspace(1), ptr %place, align 8
  br label %alone

alone:
  %i = phi i64 [ 0, %entry ], [ %i.next, %alone ]
  %p = getelementptr <16 x double>, ptr addrspace(1) %a, i64 %i
  %x = load <16 x double>, ptr addrspace(1) %p, align 128
  %y = fadd <16 x double> %x, %x
  %q = getelementptr i8, ptr addrspace(1) %p, i64 128
  store <16 x double> %y, ptr addrspace(1) %q, align 128
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %alone, label %between

between:
  br label %overlapping

overlapping:
  %j = phi i64 [ 0, %between ], [ %j.next, %overlapping ]
  %r = getelementptr <16 x double>, ptr addrspace(1) %a, i64 %j
  %u = load <16 x double>, ptr addrspace(1) %r, align 128
  %v = fadd <16 x double> %u, %u
  %s = getelementptr <16 x double>, ptr addrspace(1) %b, i64 %j
  store <16 x double> %v, ptr addrspace(1) %s, align 128
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %overlapping, label %done

done:
  ret void
}

; ==== after ====
; lanes 16, counters 5, code 60 bytes, stack 256 bytes
; %entry: 8 cycles = 0 compute + 8 scratchpad + 0 outside; 2 operations, scratchpad bytes 16
; %alone: 264 cycles = 9 compute + 0 scratchpad + 255 outside; 6 operations, Ddr bytes 256; 16 lanes: operations 3, double flops 1
; %between: 198 cycles = 7 compute + 0 scratchpad + 191 outside; 0 operations
; %overlapping: 66 cycles = 2 compute + 0 scratchpad + 64 outside; 6 operations, Ddr bytes 256; 16 lanes: operations 3, double flops 1
; %done: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 1 operations
