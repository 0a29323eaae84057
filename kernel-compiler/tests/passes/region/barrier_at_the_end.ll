; A barrier followed by nothing but the return begins no region.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  br label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       return at %barrier
; no region has a loop within it
