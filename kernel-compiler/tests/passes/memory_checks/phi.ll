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
  %1 = ptrtoint ptr addrspace(1) %p to i64
  %2 = ptrtoint ptr addrspace(1) %a to i64
  %3 = sub i64 %1, %2
  %4 = add i64 0, %3
  %5 = icmp ult i64 3, %0
  %6 = sub i64 %0, 3
  %7 = select i1 %5, i64 %6, i64 0
  %8 = icmp ult i64 %4, %7
  %9 = ptrtoint ptr addrspace(1) %p to i64
  %10 = and i64 %9, 3
  %11 = icmp eq i64 %10, 0
  %12 = and i1 %8, %11
  br i1 %12, label %after1, label %report

after1:                                           ; preds = %loop
  store i32 1, ptr addrspace(1) %p, align 4
  br label %after

report:                                           ; preds = %loop
  %13 = call i64 @__mocl3_local_id(i32 0)
  %14 = call i64 @__mocl3_local_id(i32 1)
  %15 = call i64 @__mocl3_local_id(i32 2)
  %16 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %16, i64 0, i64 0, i64 %4, i64 4, i64 1, i64 %13, i64 %14, i64 %15)
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
