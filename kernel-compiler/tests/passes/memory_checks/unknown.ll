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
  %1 = call i64 @__mocl3_argument_bytes(i32 1)
  %2 = icmp ult i64 7, %0
  %3 = sub i64 %0, 7
  %4 = select i1 %2, i64 %3, i64 0
  %5 = icmp ult i64 0, %4
  br i1 %5, label %after1, label %report

after1:                                           ; preds = %entry
  %p = load ptr addrspace(1), ptr addrspace(1) %a, align 8
  br label %after2

report:                                           ; preds = %entry
  %6 = call i64 @__mocl3_local_id(i32 0)
  %7 = call i64 @__mocl3_local_id(i32 1)
  %8 = call i64 @__mocl3_local_id(i32 2)
  %9 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %9, i64 0, i64 0, i64 0, i64 8, i64 0, i64 %6, i64 %7, i64 %8)
  br label %after2

after2:                                           ; preds = %report, %after1
  %10 = phi ptr addrspace(1) [ %p, %after1 ], [ null, %report ]
  %11 = ptrtoint ptr addrspace(1) %10 to i64
  %12 = call ptr @__mocl3_group_context()
  %13 = call i64 @__mocl3_memory_allows(ptr %12, i64 %11, i64 1, i64 1)
  %14 = icmp ne i64 %13, 0
  br i1 %14, label %after3, label %report4

after3:                                           ; preds = %after2
  store i8 2, ptr addrspace(1) %10, align 1
  br label %after

report4:                                          ; preds = %after2
  %15 = call i64 @__mocl3_local_id(i32 0)
  %16 = call i64 @__mocl3_local_id(i32 1)
  %17 = call i64 @__mocl3_local_id(i32 2)
  %18 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %18, i64 1, i64 -1, i64 %11, i64 1, i64 2, i64 %15, i64 %16, i64 %17)
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
