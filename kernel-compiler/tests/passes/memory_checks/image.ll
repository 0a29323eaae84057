; A write at two integers, and a read at two floats with a sampler.
declare void @__mocl3_image_access(ptr addrspace(1), ptr addrspace(2), i32, i32, i32, i32)

define spir_kernel void @k(ptr addrspace(1) %image, ptr addrspace(2) %sampler, i32 %x, i32 %y) {
entry:
  call void @__mocl3_image_access(ptr addrspace(1) %image, ptr addrspace(2) null, i32 34, i32 %x, i32 %y, i32 0)
  call void @__mocl3_image_access(ptr addrspace(1) %image, ptr addrspace(2) %sampler, i32 26, i32 %x, i32 %y, i32 0)
  ret void
}

; ==== after ====
; checked: 0 accesses
; objects:

declare void @__mocl3_image_access(ptr addrspace(1), ptr addrspace(2), i32, i32, i32, i32)

define spir_kernel void @k(ptr addrspace(1) %image, ptr addrspace(2) %sampler, i32 %x, i32 %y) {
entry:
  %0 = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %1 = getelementptr i8, ptr addrspace(2) %0, i64 8
  %2 = load i32, ptr addrspace(2) %1, align 4
  %3 = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %4 = getelementptr i8, ptr addrspace(2) %3, i64 12
  %5 = load i32, ptr addrspace(2) %4, align 4
  %6 = icmp ult i32 %x, %2
  %7 = icmp ult i32 %y, %5
  %8 = and i1 %6, %7
  br i1 %8, label %after1, label %report

report:                                           ; preds = %entry
  %9 = call i64 @__mocl3_local_id(i32 0)
  %10 = call i64 @__mocl3_local_id(i32 1)
  %11 = call i64 @__mocl3_local_id(i32 2)
  %12 = call ptr @__mocl3_group_context()
  call void @__mocl3_image_finding(ptr %12, i64 0, i64 0, i32 %x, i32 %y, i32 0, i64 %9, i64 %10, i64 %11)
  br label %after1

after1:                                           ; preds = %report, %entry
  %13 = ptrtoint ptr addrspace(2) %sampler to i64
  %14 = and i64 %13, 14
  %15 = icmp ne i64 %14, 0
  %16 = icmp ult i64 %14, 6
  %17 = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %18 = getelementptr i8, ptr addrspace(2) %17, i64 8
  %19 = load i32, ptr addrspace(2) %18, align 4
  %20 = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %21 = getelementptr i8, ptr addrspace(2) %20, i64 12
  %22 = load i32, ptr addrspace(2) %21, align 4
  %23 = and i64 %13, 1
  %24 = icmp ne i64 %23, 0
  %25 = or i1 %16, %24
  %26 = and i32 %x, 2139095040
  %27 = icmp ne i32 %26, 2139095040
  %28 = and i32 %y, 2139095040
  %29 = icmp ne i32 %28, 2139095040
  %30 = and i1 %27, %29
  %31 = uitofp i32 %19 to float
  %32 = bitcast float %31 to i32
  %33 = select i1 %24, i32 1065353216, i32 %32
  %34 = uitofp i32 %22 to float
  %35 = bitcast float %34 to i32
  %36 = select i1 %24, i32 1065353216, i32 %35
  %37 = icmp eq i32 %x, -2147483648
  %38 = select i1 %37, i32 0, i32 %x
  %39 = icmp eq i32 %y, -2147483648
  %40 = select i1 %39, i32 0, i32 %y
  %41 = icmp ult i32 %38, %33
  %42 = icmp ult i32 %40, %36
  %43 = and i1 %41, %42
  %44 = or i1 %15, %43
  %45 = and i1 %25, %30
  %46 = and i1 %45, %44
  br i1 %46, label %after, label %report2

report2:                                          ; preds = %after1
  %47 = call i64 @__mocl3_local_id(i32 0)
  %48 = call i64 @__mocl3_local_id(i32 1)
  %49 = call i64 @__mocl3_local_id(i32 2)
  %50 = call ptr @__mocl3_group_context()
  call void @__mocl3_image_finding(ptr %50, i64 1, i64 %13, i32 %x, i32 %y, i32 0, i64 %47, i64 %48, i64 %49)
  br label %after

after:                                            ; preds = %report2, %after1
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_image_finding(ptr, i64, i64, i32, i32, i32, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
