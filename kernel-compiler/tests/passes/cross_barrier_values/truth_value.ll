; A truth value is kept as a byte: lanes do not store single bits.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  %value = load i64, ptr addrspace(1) %at, align 8
  %positive = icmp sgt i64 %value, 0
  call void @__mocl3_barrier()
  br i1 %positive, label %then, label %end

then:
  store i64 0, ptr addrspace(1) %at, align 8
  br label %end

end:
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
;   per item    %across.positive = i8, 1 bytes, for %0 = zext i1 %positive to i8
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %across.positive = alloca i8, align 1
  %id = call i64 @__mocl3_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  %value = load i64, ptr addrspace(1) %at, align 8
  %positive = icmp sgt i64 %value, 0
  %0 = zext i1 %positive to i8
  store i8 %0, ptr %across.positive, align 1
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %1 = load i8, ptr %across.positive, align 1
  %2 = trunc i8 %1 to i1
  br i1 %2, label %then, label %end

then:                                             ; preds = %after
  %3 = call i64 @__mocl3_local_id(i32 0)
  %4 = getelementptr i64, ptr addrspace(1) %p, i64 %3
  store i64 0, ptr addrspace(1) %4, align 8
  br label %end

end:                                              ; preds = %then, %after
  ret void
}
