; A DMA transfer that is out of bounds has no rows; it is under no branch, since the group does it
; together.
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 1, ptr null)
  ret void
}

; ==== after ====
; checked: 2 accesses
; objects: argument tile; argument a

declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  %0 = call i64 @__mocl3_argument_bytes(i32 2)
  %1 = icmp ult i64 63, %0
  %2 = sub i64 %0, 63
  %3 = select i1 %1, i64 %2, i64 0
  %4 = icmp ult i64 0, %3
  %5 = select i1 %4, i64 1, i64 0
  br i1 %4, label %after1, label %report

report:                                           ; preds = %entry
  %6 = call i64 @__mocl3_local_id(i32 0)
  %7 = call i64 @__mocl3_local_id(i32 1)
  %8 = call i64 @__mocl3_local_id(i32 2)
  %9 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %9, i64 0, i64 0, i64 0, i64 64, i64 0, i64 %6, i64 %7, i64 %8)
  br label %after1

after1:                                           ; preds = %report, %entry
  %10 = icmp ugt i64 %5, 1
  %11 = and i1 %10, false
  %12 = icmp ugt i64 %5, 1073741824
  %13 = or i1 %12, false
  %14 = sub i64 %5, 1
  %15 = mul i64 %14, 64
  %16 = add i64 %15, 64
  %17 = or i1 %11, %13
  %18 = select i1 %17, i64 4611686018427387904, i64 %16
  %19 = icmp eq i64 %5, 0
  %20 = or i1 %19, false
  %21 = select i1 %20, i64 0, i64 %18
  %22 = call i64 @__mocl3_argument_bytes(i32 0)
  %23 = icmp ule i64 %21, %22
  %24 = sub i64 %22, %21
  %25 = icmp ule i64 0, %24
  %26 = and i1 %23, %25
  %27 = icmp eq i64 %21, 0
  %28 = or i1 %26, %27
  %29 = select i1 %28, i64 %5, i64 0
  br i1 %28, label %after, label %report2

report2:                                          ; preds = %after1
  %30 = call i64 @__mocl3_local_id(i32 0)
  %31 = call i64 @__mocl3_local_id(i32 1)
  %32 = call i64 @__mocl3_local_id(i32 2)
  %33 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %33, i64 1, i64 1, i64 0, i64 %21, i64 0, i64 %30, i64 %31, i64 %32)
  br label %after

after:                                            ; preds = %report2, %after1
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 %29, ptr null)
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
