; A load and a store are compared with what pending transfers access; the transfer says where it is.
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 1, ptr null)
  %x = load i32, ptr addrspace(3) %tile, align 4
  store i32 %x, ptr addrspace(1) %a, align 4
  ret void
}

; ==== after ====
; sites: 3

declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  call void @__mocl3_next_transfer(i64 2, i64 0)
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 1, ptr null)
  %0 = ptrtoint ptr addrspace(3) %tile to i64
  %1 = call ptr @__mocl3_group_context()
  %2 = getelementptr inbounds i8, ptr %1, i64 200
  %3 = load ptr, ptr %2, align 8
  %4 = add i64 %0, 3
  %5 = getelementptr inbounds i8, ptr %3, i64 0
  %6 = load i64, ptr %5, align 8
  %7 = sub i64 %4, %6
  %8 = getelementptr inbounds i8, ptr %3, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = add i64 %9, 3
  %11 = icmp ult i64 %7, %10
  %12 = getelementptr inbounds i8, ptr %3, i64 16
  %13 = load i64, ptr %12, align 8
  %14 = sub i64 %4, %13
  %15 = getelementptr inbounds i8, ptr %3, i64 24
  %16 = load i64, ptr %15, align 8
  %17 = add i64 %16, 3
  %18 = icmp ult i64 %14, %17
  %19 = or i1 %11, %18
  br i1 %19, label %watched, label %after1

watched:                                          ; preds = %entry
  %20 = call i64 @__mocl3_local_id(i32 0)
  %21 = call i64 @__mocl3_local_id(i32 1)
  %22 = call i64 @__mocl3_local_id(i32 2)
  call void @__mocl3_dma_access(ptr %1, i64 0, i64 0, i64 0, i64 %0, i64 4, i64 0, i64 0, i64 %20, i64 %21, i64 %22)
  br label %after1

after1:                                           ; preds = %watched, %entry
  %x = load i32, ptr addrspace(3) %tile, align 4
  %23 = ptrtoint ptr addrspace(1) %a to i64
  %24 = call ptr @__mocl3_group_context()
  %25 = getelementptr inbounds i8, ptr %24, i64 200
  %26 = load ptr, ptr %25, align 8
  %27 = add i64 %23, 3
  %28 = getelementptr inbounds i8, ptr %26, i64 96
  %29 = load i64, ptr %28, align 8
  %30 = sub i64 %27, %29
  %31 = getelementptr inbounds i8, ptr %26, i64 104
  %32 = load i64, ptr %31, align 8
  %33 = add i64 %32, 3
  %34 = icmp ult i64 %30, %33
  %35 = getelementptr inbounds i8, ptr %26, i64 112
  %36 = load i64, ptr %35, align 8
  %37 = sub i64 %27, %36
  %38 = getelementptr inbounds i8, ptr %26, i64 120
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %39, 3
  %41 = icmp ult i64 %37, %40
  %42 = or i1 %34, %41
  br i1 %42, label %watched2, label %after

watched2:                                         ; preds = %after1
  %43 = call i64 @__mocl3_local_id(i32 0)
  %44 = call i64 @__mocl3_local_id(i32 1)
  %45 = call i64 @__mocl3_local_id(i32 2)
  %46 = zext i32 %x to i64
  call void @__mocl3_dma_access(ptr %24, i64 1, i64 1, i64 0, i64 %23, i64 4, i64 1, i64 %46, i64 %43, i64 %44, i64 %45)
  br label %after

after:                                            ; preds = %watched2, %after1
  store i32 %x, ptr addrspace(1) %a, align 4
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_dma_access(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

; Function Attrs: cold nofree nosync nounwind willreturn
declare void @__mocl3_next_transfer(i64, i64) #2

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #2 = { cold nofree nosync nounwind willreturn }
