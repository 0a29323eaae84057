; An offset that is no multiple of the alignment has the address checked for it.
define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store <4 x i32> zeroinitializer, ptr addrspace(1) %p, align 16
  ret void
}

; ==== after ====
; checked: 1 accesses
; objects: argument a

define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %0 = call i64 @__mocl3_argument_bytes(i32 0)
  %1 = mul i64 %i, 4
  %2 = add i64 0, %1
  %3 = icmp ult i64 15, %0
  %4 = sub i64 %0, 15
  %5 = select i1 %3, i64 %4, i64 0
  %6 = icmp ult i64 %2, %5
  %7 = ptrtoint ptr addrspace(1) %p to i64
  %8 = and i64 %7, 15
  %9 = icmp eq i64 %8, 0
  %10 = and i1 %6, %9
  br i1 %10, label %after1, label %report

after1:                                           ; preds = %entry
  store <4 x i32> zeroinitializer, ptr addrspace(1) %p, align 16
  br label %after

report:                                           ; preds = %entry
  %11 = call i64 @__mocl3_local_id(i32 0)
  %12 = call i64 @__mocl3_local_id(i32 1)
  %13 = call i64 @__mocl3_local_id(i32 2)
  %14 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %14, i64 0, i64 0, i64 %2, i64 16, i64 0, i64 %11, i64 %12, i64 %13)
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
