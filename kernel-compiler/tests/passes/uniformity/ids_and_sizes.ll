; Local and global ids are varying; group ids, sizes and arguments are uniform.
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_group_id(i32)
declare i64 @__mocl3_local_size(i32)

define spir_kernel void @k(i64 %n) {
entry:
  %local = call i64 @__mocl3_local_id(i32 0)
  %global = call i64 @__mocl3_global_id(i32 0)
  %group = call i64 @__mocl3_group_id(i32 0)
  %size = call i64 @__mocl3_local_size(i32 0)
  %a = add i64 %group, %n
  %b = add i64 %size, %global
  %c = mul i64 %local, 0
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %local = call i64 @__mocl3_local_id(i32 0)
;   varying  %global = call i64 @__mocl3_global_id(i32 0)
;   uniform  %group = call i64 @__mocl3_group_id(i32 0)
;   uniform  %size = call i64 @__mocl3_local_size(i32 0)
;   uniform  %a = add i64 %group, %n
;   varying  %b = add i64 %size, %global
;   varying  %c = mul i64 %local, 0
;   uniform  ret void
