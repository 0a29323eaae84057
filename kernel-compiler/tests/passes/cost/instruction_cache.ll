; A loop of 8704 operations exceeds the instruction cache; the loop nested in it does not.

define void @k(ptr addrspace(3) %p, i64 %n, <8192 x double> %w, <16 x double> %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %y0 = fadd <8192 x double> %w, %w
  %y1 = fadd <8192 x double> %w, %w
  %y2 = fadd <8192 x double> %w, %w
  %y3 = fadd <8192 x double> %w, %w
  %y4 = fadd <8192 x double> %w, %w
  %y5 = fadd <8192 x double> %w, %w
  %y6 = fadd <8192 x double> %w, %w
  %y7 = fadd <8192 x double> %w, %w
  %y8 = fadd <8192 x double> %w, %w
  %y9 = fadd <8192 x double> %w, %w
  %y10 = fadd <8192 x double> %w, %w
  %y11 = fadd <8192 x double> %w, %w
  %y12 = fadd <8192 x double> %w, %w
  %y13 = fadd <8192 x double> %w, %w
  %y14 = fadd <8192 x double> %w, %w
  %y15 = fadd <8192 x double> %w, %w
  %y16 = fadd <8192 x double> %w, %w
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi <16 x double> [ %x, %outer ], [ %s.next, %inner ]
  %s.next = fadd <16 x double> %s, %x
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %inner, label %outer.end

outer.end:
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %done

done:
  store <16 x double> %s.next, ptr addrspace(3) %p, align 128
  ret void
}

; ==== after ====
; lanes 16, counters 5, code 38436 bytes, stack 256 bytes
; %entry: 0 cycles = 0 compute + 0 scratchpad + 0 outside; 0 operations
; %outer: 26368 cycles = 2910 compute + 448 scratchpad + 23010 outside; 9600 operations, scratchpad bytes 114688, Ddr bytes 11328; 16 lanes: operations 8704, double flops 8704
; %inner: 3 cycles = 3 compute + 0 scratchpad + 0 outside; 4 operations; 16 lanes: operations 1, double flops 1
; %outer.end: 139 cycles = 9 compute + 0 scratchpad + 130 outside; 3 operations, Ddr bytes 64
; %done: 137 cycles = 7 compute + 0 scratchpad + 130 outside; 2 operations, scratchpad bytes 128, Ddr bytes 64; 16 lanes: operations 1
