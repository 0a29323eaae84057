; The index of a point is rematerialised: queries and their conversions do not count. A number that takes
; nine other instructions is kept.
declare void @__mocl3_barrier()
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %plane, i32 %width) {
entry:
  %x.wide = call i64 @__mocl3_global_id(i32 0)
  %x = trunc i64 %x.wide to i32
  %y.wide = call i64 @__mocl3_global_id(i32 1)
  %y = trunc i64 %y.wide to i32
  %z.wide = call i64 @__mocl3_global_id(i32 2)
  %z = trunc i64 %z.wide to i32
  %before.planes = mul i32 %z, %plane
  %before.rows = mul i32 %y, %width
  %row = add i32 %before.planes, %before.rows
  %point = add i32 %row, %x
  %point.wide = sext i32 %point to i64
  %place = getelementptr float, ptr addrspace(1) %p, i64 %point.wide
  %mixed1 = xor i32 %point, %x
  %mixed2 = mul i32 %mixed1, %y
  %mixed3 = xor i32 %mixed2, %z
  %mixed4 = mul i32 %mixed3, %mixed1
  %mixed5 = xor i32 %mixed4, %mixed2
  store float 1.0, ptr addrspace(1) %place
  call void @__mocl3_barrier()
  store float 2.0, ptr addrspace(1) %place
  store i32 %mixed5, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %place = getelementptr float, ptr addrspace(1) %p, i64 %point.wide
;   per item    %across.mixed5 = i32, 4 bytes, for %mixed5 = xor i32 %mixed4, %mixed2
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %plane, i32 %width) {
entry:
  %across.mixed5 = alloca i32, align 4
  %x.wide = call i64 @__mocl3_global_id(i32 0)
  %x = trunc i64 %x.wide to i32
  %y.wide = call i64 @__mocl3_global_id(i32 1)
  %y = trunc i64 %y.wide to i32
  %z.wide = call i64 @__mocl3_global_id(i32 2)
  %z = trunc i64 %z.wide to i32
  %before.planes = mul i32 %z, %plane
  %before.rows = mul i32 %y, %width
  %row = add i32 %before.planes, %before.rows
  %point = add i32 %row, %x
  %point.wide = sext i32 %point to i64
  %place = getelementptr float, ptr addrspace(1) %p, i64 %point.wide
  %mixed1 = xor i32 %point, %x
  %mixed2 = mul i32 %mixed1, %y
  %mixed3 = xor i32 %mixed2, %z
  %mixed4 = mul i32 %mixed3, %mixed1
  %mixed5 = xor i32 %mixed4, %mixed2
  store i32 %mixed5, ptr %across.mixed5, align 4
  store float 1.000000e+00, ptr addrspace(1) %place, align 4
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = call i64 @__mocl3_global_id(i32 2)
  %1 = trunc i64 %0 to i32
  %2 = mul i32 %1, %plane
  %3 = call i64 @__mocl3_global_id(i32 1)
  %4 = trunc i64 %3 to i32
  %5 = mul i32 %4, %width
  %6 = add i32 %2, %5
  %7 = call i64 @__mocl3_global_id(i32 0)
  %8 = trunc i64 %7 to i32
  %9 = add i32 %6, %8
  %10 = sext i32 %9 to i64
  %11 = getelementptr float, ptr addrspace(1) %p, i64 %10
  store float 2.000000e+00, ptr addrspace(1) %11, align 4
  %12 = load i32, ptr %across.mixed5, align 4
  store i32 %12, ptr addrspace(1) %p, align 4
  ret void
}
