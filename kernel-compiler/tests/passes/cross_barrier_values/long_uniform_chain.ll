; Of a long chain of uniform values the last ones are recomputed after the barrier, from one that is kept.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %v1 = mul i32 %n, 3
  %v2 = add i32 %v1, 4
  %v3 = mul i32 %v2, 5
  %v4 = add i32 %v3, 6
  %v5 = mul i32 %v4, 7
  %v6 = add i32 %v5, 8
  %v7 = mul i32 %v6, 9
  %v8 = add i32 %v7, 10
  %v9 = mul i32 %v8, 11
  %v10 = add i32 %v9, 12
  %v11 = mul i32 %v10, 13
  %v12 = add i32 %v11, 14
  %v13 = mul i32 %v12, 15
  %v14 = add i32 %v13, 16
  %v15 = mul i32 %v14, 17
  %v16 = add i32 %v15, 18
  %v17 = mul i32 %v16, 19
  %v18 = add i32 %v17, 20
  %v19 = mul i32 %v18, 21
  %v20 = add i32 %v19, 22
  %v21 = mul i32 %v20, 23
  %v22 = add i32 %v21, 24
  %v23 = mul i32 %v22, 25
  %v24 = add i32 %v23, 26
  %v25 = mul i32 %v24, 27
  %v26 = add i32 %v25, 28
  store i32 %v26, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  %place = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %v26, ptr addrspace(1) %place
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %v26 = add i32 %v25, 28
;   per group   %across.v2 = i32, 4 bytes, for %v2 = add i32 %v1, 4
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %across.v2 = alloca i32, align 4
  %v1 = mul i32 %n, 3
  %v2 = add i32 %v1, 4
  store i32 %v2, ptr %across.v2, align 4
  %v3 = mul i32 %v2, 5
  %v4 = add i32 %v3, 6
  %v5 = mul i32 %v4, 7
  %v6 = add i32 %v5, 8
  %v7 = mul i32 %v6, 9
  %v8 = add i32 %v7, 10
  %v9 = mul i32 %v8, 11
  %v10 = add i32 %v9, 12
  %v11 = mul i32 %v10, 13
  %v12 = add i32 %v11, 14
  %v13 = mul i32 %v12, 15
  %v14 = add i32 %v13, 16
  %v15 = mul i32 %v14, 17
  %v16 = add i32 %v15, 18
  %v17 = mul i32 %v16, 19
  %v18 = add i32 %v17, 20
  %v19 = mul i32 %v18, 21
  %v20 = add i32 %v19, 22
  %v21 = mul i32 %v20, 23
  %v22 = add i32 %v21, 24
  %v23 = mul i32 %v22, 25
  %v24 = add i32 %v23, 26
  %v25 = mul i32 %v24, 27
  %v26 = add i32 %v25, 28
  store i32 %v26, ptr addrspace(1) %p, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = load i32, ptr %across.v2, align 4
  %1 = mul i32 %0, 5
  %2 = add i32 %1, 6
  %3 = mul i32 %2, 7
  %4 = add i32 %3, 8
  %5 = mul i32 %4, 9
  %6 = add i32 %5, 10
  %7 = mul i32 %6, 11
  %8 = add i32 %7, 12
  %9 = mul i32 %8, 13
  %10 = add i32 %9, 14
  %11 = mul i32 %10, 15
  %12 = add i32 %11, 16
  %13 = mul i32 %12, 17
  %14 = add i32 %13, 18
  %15 = mul i32 %14, 19
  %16 = add i32 %15, 20
  %17 = mul i32 %16, 21
  %18 = add i32 %17, 22
  %19 = mul i32 %18, 23
  %20 = add i32 %19, 24
  %21 = mul i32 %20, 25
  %22 = add i32 %21, 26
  %23 = mul i32 %22, 27
  %24 = add i32 %23, 28
  %place = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %24, ptr addrspace(1) %place, align 4
  ret void
}
