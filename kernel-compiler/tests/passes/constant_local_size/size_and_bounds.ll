; With a known size, `get_local_size` is a constant, the id of a dimension of size 1 is 0, other ids have bounds.
; local size: 16,1,1
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_local_size(i32)
declare i64 @__mocl3_group_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %d) {
entry:
  %x = call i64 @__mocl3_local_id(i32 0)
  %y = call i64 @__mocl3_local_id(i32 1)
  %size = call i64 @__mocl3_local_size(i32 0)
  %beyond = call i64 @__mocl3_local_size(i32 3)
  %unknown = call i64 @__mocl3_local_size(i32 %d)
  %group = call i64 @__mocl3_group_id(i32 0)
  %a = add i64 %x, %y
  %b = add i64 %a, %size
  %c = add i64 %b, %beyond
  %e = add i64 %c, %unknown
  %f = add i64 %e, %group
  store i64 %f, ptr addrspace(1) %p
  ret void
}

; ==== after ====
declare i64 @__mocl3_local_id(i32)

declare i64 @__mocl3_local_size(i32)

declare i64 @__mocl3_group_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %d) {
entry:
  %x = call i64 @__mocl3_local_id(i32 0), !range !0
  %beyond = call i64 @__mocl3_local_size(i32 3)
  %unknown = call i64 @__mocl3_local_size(i32 %d)
  %group = call i64 @__mocl3_group_id(i32 0)
  %a = add i64 %x, 0
  %b = add i64 %a, 16
  %c = add i64 %b, %beyond
  %e = add i64 %c, %unknown
  %f = add i64 %e, %group
  store i64 %f, ptr addrspace(1) %p, align 4
  ret void
}

!0 = !{i64 0, i64 16}
