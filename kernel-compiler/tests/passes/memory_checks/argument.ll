; A load from an argument is under one comparison of its offset, computed of the index; it gives zero
; where it is left out. The store to the same place has a check of its own, with what may be written.
define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p, align 4
  ret void
}

; ==== after ====
; checked: 2 accesses
; objects: argument a

define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %0 = call i64 @__mocl3_argument_bytes(i32 0)
  %1 = call i64 @__mocl3_argument_bytes(i32 1)
  %2 = mul i64 %i, 4
  %3 = add i64 0, %2
  %4 = icmp ult i64 3, %0
  %5 = sub i64 %0, 3
  %6 = select i1 %4, i64 %5, i64 0
  %7 = icmp ult i64 %3, %6
  br i1 %7, label %after1, label %report

after1:                                           ; preds = %entry
  %v = load i32, ptr addrspace(1) %p, align 4
  br label %after2

report:                                           ; preds = %entry
  %8 = call i64 @__mocl3_local_id(i32 0)
  %9 = call i64 @__mocl3_local_id(i32 1)
  %10 = call i64 @__mocl3_local_id(i32 2)
  %11 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %11, i64 0, i64 0, i64 %3, i64 4, i64 0, i64 %8, i64 %9, i64 %10)
  br label %after2

after2:                                           ; preds = %report, %after1
  %12 = phi i32 [ %v, %after1 ], [ 0, %report ]
  %w = add i32 %12, 1
  %13 = call i64 @__mocl3_argument_bytes(i32 0)
  %14 = call i64 @__mocl3_argument_bytes(i32 1)
  %15 = mul i64 %i, 4
  %16 = add i64 0, %15
  %17 = icmp ult i64 3, %14
  %18 = sub i64 %14, 3
  %19 = select i1 %17, i64 %18, i64 0
  %20 = icmp ult i64 %16, %19
  br i1 %20, label %after3, label %report4

after3:                                           ; preds = %after2
  store i32 %w, ptr addrspace(1) %p, align 4
  br label %after

report4:                                          ; preds = %after2
  %21 = zext i32 %w to i64
  %22 = call i64 @__mocl3_local_id(i32 0)
  %23 = call i64 @__mocl3_local_id(i32 1)
  %24 = call i64 @__mocl3_local_id(i32 2)
  %25 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %25, i64 1, i64 0, i64 %16, i64 4, i64 %21, i64 %22, i64 %23, i64 %24)
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

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
