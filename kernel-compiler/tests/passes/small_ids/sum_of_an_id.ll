; Bounds of the queries of a small launch.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_num_groups(i32)

define spir_kernel void @k(ptr addrspace(1) %out) {
  %id = call i64 @__mocl3_global_id(i32 0)
  %local = call i64 @__mocl3_local_id(i32 0)
  %groups = call i64 @__mocl3_num_groups(i32 1)
  %next = add i64 %id, 1
  %sum = add i64 %next, %local
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %sum
  store i64 %groups, ptr addrspace(1) %to, align 8
  ret void
}

; ==== after ====
declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_local_id(i32)

declare i64 @__mocl3_num_groups(i32)

define spir_kernel void @k(ptr addrspace(1) %out) {
block:
  %id = call i64 @__mocl3_global_id(i32 0), !range !0
  %local = call i64 @__mocl3_local_id(i32 0)
  %groups = call i64 @__mocl3_num_groups(i32 1), !range !1
  %next = add i64 %id, 1
  %sum = add i64 %next, %local
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %sum
  store i64 %groups, ptr addrspace(1) %to, align 8
  ret void
}

!0 = !{i64 0, i64 1073741824}
!1 = !{i64 1, i64 1073741825}
