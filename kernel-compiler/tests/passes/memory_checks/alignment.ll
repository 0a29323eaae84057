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
  %1 = call i64 @__mocl3_argument_bytes(i32 1)
  %2 = mul i64 %i, 4
  %3 = add i64 0, %2
  %4 = icmp ult i64 15, %1
  %5 = sub i64 %1, 15
  %6 = select i1 %4, i64 %5, i64 0
  %7 = icmp ult i64 %3, %6
  %8 = ptrtoint ptr addrspace(1) %p to i64
  %9 = and i64 %8, 15
  %10 = icmp eq i64 %9, 0
  %11 = and i1 %7, %10
  br i1 %11, label %after1, label %report

after1:                                           ; preds = %entry
  store <4 x i32> zeroinitializer, ptr addrspace(1) %p, align 16
  br label %after

report:                                           ; preds = %entry
  %12 = call i64 @__mocl3_local_id(i32 0)
  %13 = call i64 @__mocl3_local_id(i32 1)
  %14 = call i64 @__mocl3_local_id(i32 2)
  %15 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %15, i64 0, i64 0, i64 %3, i64 16, i64 0, i64 %12, i64 %13, i64 %14)
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
