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
  %1 = call i64 @__mocl3_argument_bytes(i32 3)
  %2 = icmp ult i64 63, %1
  %3 = sub i64 %1, 63
  %4 = select i1 %2, i64 %3, i64 0
  %5 = icmp ult i64 0, %4
  %6 = select i1 %5, i64 1, i64 0
  br i1 %5, label %after1, label %report

report:                                           ; preds = %entry
  %7 = call i64 @__mocl3_local_id(i32 0)
  %8 = call i64 @__mocl3_local_id(i32 1)
  %9 = call i64 @__mocl3_local_id(i32 2)
  %10 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %10, i64 0, i64 0, i64 0, i64 64, i64 0, i64 %7, i64 %8, i64 %9)
  br label %after1

after1:                                           ; preds = %report, %entry
  %11 = icmp ugt i64 %6, 1
  %12 = and i1 %11, false
  %13 = icmp ugt i64 %6, 1073741824
  %14 = or i1 %13, false
  %15 = sub i64 %6, 1
  %16 = mul i64 %15, 64
  %17 = add i64 %16, 64
  %18 = or i1 %12, %14
  %19 = select i1 %18, i64 4611686018427387904, i64 %17
  %20 = icmp eq i64 %6, 0
  %21 = or i1 %20, false
  %22 = select i1 %21, i64 0, i64 %19
  %23 = call i64 @__mocl3_argument_bytes(i32 0)
  %24 = call i64 @__mocl3_argument_bytes(i32 1)
  %25 = icmp ule i64 %22, %23
  %26 = sub i64 %23, %22
  %27 = icmp ule i64 0, %26
  %28 = and i1 %25, %27
  %29 = icmp eq i64 %22, 0
  %30 = or i1 %28, %29
  %31 = select i1 %30, i64 %6, i64 0
  br i1 %30, label %after, label %report2

report2:                                          ; preds = %after1
  %32 = call i64 @__mocl3_local_id(i32 0)
  %33 = call i64 @__mocl3_local_id(i32 1)
  %34 = call i64 @__mocl3_local_id(i32 2)
  %35 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %35, i64 1, i64 1, i64 0, i64 %22, i64 0, i64 %32, i64 %33, i64 %34)
  br label %after

after:                                            ; preds = %report2, %after1
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 %31, ptr null)
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
