; A pointer that a loop moves through one object: its distance from the object's start is checked.
define spir_kernel void @k(ptr addrspace(1) %a, i1 %c) {
entry:
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %next, %loop ]
  store i32 1, ptr addrspace(1) %p, align 4
  %next = getelementptr i8, ptr addrspace(1) %p, i64 4
  br i1 %c, label %loop, label %end

end:
  ret void
}

; ==== after ====
; checked: 1 accesses
; objects: argument a

define spir_kernel void @k(ptr addrspace(1) %a, i1 %c) {
entry:
  br label %loop

loop:                                             ; preds = %after, %entry
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %next, %after ]
  %0 = call i64 @__mocl3_argument_bytes(i32 0)
  %1 = call i64 @__mocl3_argument_bytes(i32 1)
  %2 = ptrtoint ptr addrspace(1) %p to i64
  %3 = ptrtoint ptr addrspace(1) %a to i64
  %4 = sub i64 %2, %3
  %5 = add i64 0, %4
  %6 = icmp ult i64 3, %1
  %7 = sub i64 %1, 3
  %8 = select i1 %6, i64 %7, i64 0
  %9 = icmp ult i64 %5, %8
  %10 = ptrtoint ptr addrspace(1) %p to i64
  %11 = and i64 %10, 3
  %12 = icmp eq i64 %11, 0
  %13 = and i1 %9, %12
  br i1 %13, label %after1, label %report

after1:                                           ; preds = %loop
  store i32 1, ptr addrspace(1) %p, align 4
  br label %after

report:                                           ; preds = %loop
  %14 = call i64 @__mocl3_local_id(i32 0)
  %15 = call i64 @__mocl3_local_id(i32 1)
  %16 = call i64 @__mocl3_local_id(i32 2)
  %17 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %17, i64 0, i64 0, i64 %5, i64 4, i64 1, i64 %14, i64 %15, i64 %16)
  br label %after

after:                                            ; preds = %report, %after1
  %next = getelementptr i8, ptr addrspace(1) %p, i64 4
  br i1 %c, label %loop, label %end

end:                                              ; preds = %after
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
