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
  call void @__mocl3_barrier()
  store i64 %e, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.e = i64, 8 bytes, for %e = add i64 %d, %b
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.e = alloca i64, align 8
  %id = call i64 @__mocl3_local_id(i32 0)
  %a = mul i64 %id, 3
  %b = xor i64 %a, %id
  %c = mul i64 %b, 5
  %d = xor i64 %c, %a
  %e = add i64 %d, %b
  store i64 %e, ptr %across.e, align 8
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i64, ptr %across.e, align 8
  store i64 %0, ptr addrspace(1) %p, align 4
  ret void
}
