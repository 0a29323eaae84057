; Uniform loads use the data cache. 8 bytes per iteration take an eighth of a line, hence of 260 - 7 cycles;
; adjacent loads share the line; each element of a column takes a line of its own; an invariant address hits.

define void @k(ptr %arguments, ptr %context, i64 %n) {
entry:
  %a = load ptr addrspace(1), ptr %arguments, align 8
  br label %row

row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row ]
  %s = phi double [ 0.0, %entry ], [ %s.more, %row ]
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p, align 8
  %q = getelementptr i8, ptr addrspace(1) %p, i64 8
  %y = load double, ptr addrspace(1) %q, align 8
  %s.next = fadd double %s, %x
  %s.more = fadd double %s.next, %y
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %row, label %column

column:
  %j = phi i64 [ 0, %row ], [ %j.next, %column ]
  %t = phi double [ %s.more, %row ], [ %t.more, %column ]
  %by = mul i64 %j, %n
  %r = getelementptr double, ptr addrspace(1) %a, i64 %by
  %u = load double, ptr addrspace(1) %r, align 8
  %v = load double, ptr addrspace(1) %a, align 8
  %t.next = fadd double %t, %u
  %t.more = fadd double %t.next, %v
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %column, label %done

done:
  store double %t.more, ptr addrspace(1) %a, align 8
  ret void
}

; ==== after ====
; lanes 0, counters 4, code 68 bytes, stack 256 bytes
; %entry: 14 cycles = 3 compute + 7 scratchpad + 4 outside; 1 operations, scratchpad bytes 8
; %row: 38 cycles = 6 compute + 0 scratchpad + 32 outside; 7 operations, scalar flops 2, Ddr bytes 8
; %column: 259 cycles = 6 compute + 0 scratchpad + 253 outside; 7 operations, scalar flops 2, Ddr bytes 64
; %done: 15 cycles = 10 compute + 0 scratchpad + 5 outside; 2 operations
