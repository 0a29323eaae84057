; A value of more than eight operations is kept in memory, not recomputed.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %a = mul i64 %id, 3
  %b = xor i64 %a, %id
  %c = mul i64 %b, 5
  %d = xor i64 %c, %a
  %e = add i64 %d, %b
  %f = xor i64 %e, %c
  %g = mul i64 %f, 7
  %h = add i64 %g, %d
  %i = xor i64 %h, %a
  call void @__mocl3_barrier()
  store i64 %i, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.i = i64, 8 bytes, for %i = xor i64 %h, %a
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.i = alloca i64, align 8
  %id = call i64 @__mocl3_local_id(i32 0)
  %a = mul i64 %id, 3
  %b = xor i64 %a, %id
  %c = mul i64 %b, 5
  %d = xor i64 %c, %a
  %e = add i64 %d, %b
  %f = xor i64 %e, %c
  %g = mul i64 %f, 7
  %h = add i64 %g, %d
  %i = xor i64 %h, %a
  store i64 %i, ptr %across.i, align 8
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i64, ptr %across.i, align 8
  store i64 %0, ptr addrspace(1) %p, align 4
  ret void
}
