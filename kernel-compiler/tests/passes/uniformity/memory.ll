; A load is varying even from a uniform address: other work-items may have written in between. Constant memory does not change.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %global, ptr addrspace(2) %constant, ptr addrspace(3) %local) {
entry:
  %a = load i32, ptr addrspace(1) %global
  %b = load i32, ptr addrspace(2) %constant
  %c = load i32, ptr addrspace(3) %local
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(2) %constant, i64 %id
  %d = load i32, ptr addrspace(2) %place
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %a = load i32, ptr addrspace(1) %global, align 4
;   uniform  %b = load i32, ptr addrspace(2) %constant, align 4
;   varying  %c = load i32, ptr addrspace(3) %local, align 4
;   varying  %id = call i64 @__mocl3_local_id(i32 0)
;   varying  %place = getelementptr i32, ptr addrspace(2) %constant, i64 %id
;   varying  %d = load i32, ptr addrspace(2) %place, align 4
;   uniform  ret void
