; A predecessor with several edges to a block contributes one value to the φ: a single load.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %old = load i32, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  switch i32 %n, label %done [
    i32 1, label %done
    i32 2, label %other
  ]
other:
  br label %done
done:
  %new = phi i32 [ %old, %entry ], [ %old, %entry ], [ %old, %other ]
  store i32 %new, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   per item    %across.old = i32, 4 bytes, for %old = load i32, ptr addrspace(1) %p, align 4
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %across.old = alloca i32, align 4
  %old = load i32, ptr addrspace(1) %p, align 4
  store i32 %old, ptr %across.old, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i32, ptr %across.old, align 4
  switch i32 %n, label %done [
    i32 1, label %done
    i32 2, label %other
  ]

other:                                            ; preds = %after
  %1 = load i32, ptr %across.old, align 4
  br label %done

done:                                             ; preds = %other, %after, %after
  %new = phi i32 [ %0, %after ], [ %0, %after ], [ %1, %other ]
  store i32 %new, ptr addrspace(1) %p, align 4
  ret void
}
