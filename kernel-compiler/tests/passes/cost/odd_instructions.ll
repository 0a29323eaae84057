; Every kind of instruction has a cost.

define void @k(ptr %arguments, ptr %context, ptr addrspace(1) %p, i128 %wide, fp128 %long) {
entry:
  %a = alloca [1024 x i64], align 8
  %b = udiv i128 %wide, 7
  %c = fdiv fp128 %long, %long
  %d = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 1, i32 2)
  %e = extractvalue { i32, i1 } %d, 0
  fence seq_cst
  call void @somewhere(ptr %a)
  %f = load volatile i64, ptr null, align 8
  %g = call double @pow(double 1.0, double 2.0)
  store i128 %b, ptr %a, align 8
  store fp128 %c, ptr %a, align 16
  switch i32 %e, label %nowhere [ i32 0, label %out
    i32 1, label %out
    i32 2, label %dead ]

nowhere:
  unreachable

out:
  ret void

dead:
  br label %dead
}

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

declare void @somewhere(ptr)

declare double @pow(double, double)

; ==== after ====
; lanes 0, counters 4, code 728 bytes, stack 8448 bytes
; %entry: 472 cycles = 471 compute + 1 scratchpad + 0 outside; 180 operations, scalar flops 1, scratchpad bytes 40
; %nowhere: 0 cycles = 0 compute + 0 scratchpad + 0 outside; 0 operations
; %out: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 1 operations
; %dead: 7 cycles = 7 compute + 0 scratchpad + 0 outside; 1 operations
