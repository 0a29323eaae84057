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
  %1 = mul i64 %i, 4
  %2 = add i64 0, %1
  %3 = icmp ult i64 3, %0
  %4 = sub i64 %0, 3
  %5 = select i1 %3, i64 %4, i64 0
  %6 = icmp ult i64 %2, %5
  br i1 %6, label %after1, label %report

after1:                                           ; preds = %entry
  %v = load i32, ptr addrspace(1) %p, align 4
  br label %after2

report:                                           ; preds = %entry
  %7 = call i64 @__mocl3_local_id(i32 0)
  %8 = call i64 @__mocl3_local_id(i32 1)
  %9 = call i64 @__mocl3_local_id(i32 2)
  %10 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %10, i64 0, i64 0, i64 %2, i64 4, i64 0, i64 %7, i64 %8, i64 %9)
  br label %after2

after2:                                           ; preds = %report, %after1
  %11 = phi i32 [ %v, %after1 ], [ 0, %report ]
  %w = add i32 %11, 1
  %12 = call i64 @__mocl3_argument_bytes(i32 0)
  %13 = mul i64 %i, 4
  %14 = add i64 0, %13
  %15 = icmp ult i64 3, %12
  %16 = sub i64 %12, 3
  %17 = select i1 %15, i64 %16, i64 0
  %18 = icmp ult i64 %14, %17
  br i1 %18, label %after3, label %report4

after3:                                           ; preds = %after2
  store i32 %w, ptr addrspace(1) %p, align 4
  br label %after

report4:                                          ; preds = %after2
  %19 = zext i32 %w to i64
  %20 = call i64 @__mocl3_local_id(i32 0)
  %21 = call i64 @__mocl3_local_id(i32 1)
  %22 = call i64 @__mocl3_local_id(i32 2)
  %23 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %23, i64 1, i64 0, i64 %14, i64 4, i64 %19, i64 %20, i64 %21, i64 %22)
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
