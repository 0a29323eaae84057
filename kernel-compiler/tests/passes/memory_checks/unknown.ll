; An address from memory is looked up among the launch's objects.
define spir_kernel void @k(ptr addrspace(1) %a) {
entry:
  %p = load ptr addrspace(1), ptr addrspace(1) %a, align 8
  store i8 2, ptr addrspace(1) %p, align 1
  ret void
}

; ==== after ====
; checked: 2 accesses
; objects: argument a

define spir_kernel void @k(ptr addrspace(1) %a) {
entry:
  %0 = call i64 @__mocl3_argument_bytes(i32 0)
  %1 = icmp ult i64 7, %0
  %2 = sub i64 %0, 7
  %3 = select i1 %1, i64 %2, i64 0
  %4 = icmp ult i64 0, %3
  br i1 %4, label %after1, label %report

after1:                                           ; preds = %entry
  %p = load ptr addrspace(1), ptr addrspace(1) %a, align 8
  br label %after2

report:                                           ; preds = %entry
  %5 = call i64 @__mocl3_local_id(i32 0)
  %6 = call i64 @__mocl3_local_id(i32 1)
  %7 = call i64 @__mocl3_local_id(i32 2)
  %8 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %8, i64 0, i64 0, i64 0, i64 8, i64 0, i64 %5, i64 %6, i64 %7)
  br label %after2

after2:                                           ; preds = %report, %after1
  %9 = phi ptr addrspace(1) [ %p, %after1 ], [ null, %report ]
  %10 = ptrtoint ptr addrspace(1) %9 to i64
  %11 = call ptr @__mocl3_group_context()
  %12 = call i64 @__mocl3_memory_allows(ptr %11, i64 %10, i64 1, i64 0)
  %13 = icmp ne i64 %12, 0
  br i1 %13, label %after3, label %report4

after3:                                           ; preds = %after2
  store i8 2, ptr addrspace(1) %9, align 1
  br label %after

report4:                                          ; preds = %after2
  %14 = call i64 @__mocl3_local_id(i32 0)
  %15 = call i64 @__mocl3_local_id(i32 1)
  %16 = call i64 @__mocl3_local_id(i32 2)
  %17 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %17, i64 1, i64 -1, i64 %10, i64 1, i64 2, i64 %14, i64 %15, i64 %16)
  br label %after

after:                                            ; preds = %report4, %after3
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

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare i64 @__mocl3_memory_allows(ptr, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
