; A pointer into one of two objects has bounds that are selected with it.
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c) {
entry:
  %p = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  store i8 2, ptr addrspace(1) %p, align 1
  ret void
}

; ==== after ====
; checked: 1 accesses
; objects: argument a; argument b

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c) {
entry:
  %0 = ptrtoint ptr addrspace(1) %a to i64
  %1 = call i64 @__mocl3_argument_bytes(i32 0)
  %2 = ptrtoint ptr addrspace(1) %b to i64
  %3 = call i64 @__mocl3_argument_bytes(i32 2)
  %4 = select i1 %c, i64 %0, i64 %2
  %5 = select i1 %c, i64 %1, i64 %3
  %6 = select i1 %c, i64 0, i64 1
  %p = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  %7 = ptrtoint ptr addrspace(1) %p to i64
  %8 = sub i64 %7, %4
  %9 = icmp ult i64 0, %5
  %10 = sub i64 %5, 0
  %11 = select i1 %9, i64 %10, i64 0
  %12 = icmp ult i64 %8, %11
  br i1 %12, label %after1, label %report

after1:                                           ; preds = %entry
  store i8 2, ptr addrspace(1) %p, align 1
  br label %after

report:                                           ; preds = %entry
  %13 = call i64 @__mocl3_local_id(i32 0)
  %14 = call i64 @__mocl3_local_id(i32 1)
  %15 = call i64 @__mocl3_local_id(i32 2)
  %16 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %16, i64 0, i64 %6, i64 %8, i64 1, i64 2, i64 %13, i64 %14, i64 %15)
  br label %after

after:                                            ; preds = %report, %after1
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_argument_bytes(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
