; A transfer is reported by the group's first work-item.
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 1, ptr null)
  ret void
}

; ==== after ====
; granules of 8 and 8 bytes, written arguments [1], race-free []

declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tile) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %from = addrspacecast ptr addrspace(1) %a to ptr
  %0 = call i64 @__mocl3_local_size(i32 0)
  %1 = call i64 @__mocl3_local_size(i32 1)
  %2 = call i64 @__mocl3_local_size(i32 2)
  %3 = call i64 @__mocl3_local_id(i32 0)
  %4 = call i64 @__mocl3_local_id(i32 1)
  %5 = call i64 @__mocl3_local_id(i32 2)
  %6 = mul i64 %1, %5
  %7 = add i64 %4, %6
  %8 = mul i64 %0, %7
  %9 = add i64 %3, %8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %copy, label %after

copy:                                             ; preds = %entry
  %11 = call ptr @__mocl3_group_context()
  %12 = ptrtoint ptr %to to i64
  %13 = load i32, ptr %global_phase, align 4
  %14 = zext i32 %13 to i64
  %15 = mul i64 %14, 4294967296
  %16 = load i32, ptr %local_phase, align 4
  %17 = zext i32 %16 to i64
  %18 = add i64 %15, %17
  call void @__mocl3_race_rows(ptr %11, i64 0, i64 0, i64 0, i64 %12, i64 64, i64 64, i64 1, i64 1, i64 %18)
  %19 = call ptr @__mocl3_group_context()
  %20 = ptrtoint ptr %from to i64
  %21 = load i32, ptr %global_phase, align 4
  %22 = zext i32 %21 to i64
  %23 = mul i64 %22, 4294967296
  %24 = load i32, ptr %local_phase, align 4
  %25 = zext i32 %24 to i64
  %26 = add i64 %23, %25
  call void @__mocl3_race_rows(ptr %19, i64 1, i64 1, i64 0, i64 %20, i64 64, i64 64, i64 1, i64 0, i64 %26)
  br label %after

after:                                            ; preds = %copy, %entry
  %event = call ptr @__mocl3_dma_transfer(ptr %to, i64 64, ptr %from, i64 64, i64 64, i64 1, ptr null)
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_size(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn
declare void @__mocl3_race_rows(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn }
