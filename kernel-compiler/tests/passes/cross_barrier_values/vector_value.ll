; An OpenCL vector that crosses a barrier is kept as a whole.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %old = load <4 x float>, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  store <4 x float> %old, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.old = <4 x float>, 16 bytes, for %old = load <4 x float>, ptr addrspace(1) %p, align 16
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.old = alloca <4 x float>, align 16
  %old = load <4 x float>, ptr addrspace(1) %p, align 16
  store <4 x float> %old, ptr %across.old, align 16
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load <4 x float>, ptr %across.old, align 16
  store <4 x float> %0, ptr addrspace(1) %p, align 16
  ret void
}
