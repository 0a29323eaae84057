; The counter of a loop around a barrier crosses it: the φ is stored where it is defined and loaded where the next value is computed.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; what lives across barriers
;   per group   %across.i = i32, 4 bytes, for %i = phi i32 [ 0, %entry ], [ %next, %after ]
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  %across.i = alloca i32, align 4
  br label %loop

loop:                                             ; preds = %after, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %after ]
  store i32 %i, ptr %across.i, align 4
  store i32 %i, ptr addrspace(1) %p, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after

after:                                            ; preds = %barrier
  %0 = load i32, ptr %across.i, align 4
  %next = add i32 %0, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %after
  ret void
}
