; `x = (256 - 2 * steps) * group - steps + lx`, as in stencils with halos: its uniform part does not
; count. A loaded uniform value is kept once for the group, the rest is recomputed.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_group_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(2) %table, i64 %steps, i64 %columns) {
entry:
  %lx = call i64 @__mocl3_local_id(i32 0)
  %group = call i64 @__mocl3_group_id(i32 0)
  %both = shl i64 %steps, 1
  %width = sub i64 256, %both
  %start = mul i64 %width, %group
  %inner = sub i64 %start, %steps
  %x = add i64 %inner, %lx
  %offset = load i64, ptr addrspace(2) %table, align 8
  %y = add i64 %x, %offset
  %lower = icmp sge i64 %x, 0
  %upper = icmp slt i64 %y, %columns
  %inside = and i1 %lower, %upper
  call void @__mocl3_barrier()
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  br i1 %inside, label %then, label %end

then:
  store i64 %x, ptr addrspace(1) %at, align 8
  br label %end

end:
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %x = add i64 %inner, %lx
;   recomputed  %y = add i64 %x, %offset
;   recomputed  %inside = and i1 %lower, %upper
;   per group   %across.offset = i64, 8 bytes, for %offset = load i64, ptr addrspace(2) %table, align 8
;
; private memory within regions
;   nothing

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

declare i64 @__mocl3_group_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(2) %table, i64 %steps, i64 %columns) {
entry:
  %across.offset = alloca i64, align 8
  %lx = call i64 @__mocl3_local_id(i32 0)
  %group = call i64 @__mocl3_group_id(i32 0)
  %both = shl i64 %steps, 1
  %width = sub i64 256, %both
  %start = mul i64 %width, %group
  %inner = sub i64 %start, %steps
  %x = add i64 %inner, %lx
  %offset = load i64, ptr addrspace(2) %table, align 8
  store i64 %offset, ptr %across.offset, align 8
  %y = add i64 %x, %offset
  %lower = icmp sge i64 %x, 0
  %upper = icmp slt i64 %y, %columns
  %inside = and i1 %lower, %upper
  br label %barrier

barrier:                                          ; preds = %entry
  br label %after

after:                                            ; preds = %barrier
  %0 = shl i64 %steps, 1
  %1 = sub i64 256, %0
  %2 = call i64 @__mocl3_group_id(i32 0)
  %3 = mul i64 %1, %2
  %4 = sub i64 %3, %steps
  %5 = call i64 @__mocl3_local_id(i32 0)
  %6 = add i64 %4, %5
  %7 = load i64, ptr %across.offset, align 8
  %8 = add i64 %6, %7
  %9 = icmp sge i64 %6, 0
  %10 = icmp slt i64 %8, %columns
  %11 = and i1 %9, %10
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %8
  br i1 %11, label %then, label %end

then:                                             ; preds = %after
  %12 = shl i64 %steps, 1
  %13 = sub i64 256, %12
  %14 = call i64 @__mocl3_group_id(i32 0)
  %15 = mul i64 %13, %14
  %16 = sub i64 %15, %steps
  %17 = call i64 @__mocl3_local_id(i32 0)
  %18 = add i64 %16, %17
  store i64 %18, ptr addrspace(1) %at, align 8
  br label %end

end:                                              ; preds = %then, %after
  ret void
}
