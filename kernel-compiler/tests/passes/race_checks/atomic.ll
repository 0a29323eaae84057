; An atomic operation is left to the platform. What a branch on its result leads to is ordered: the
; store is entered, but not compared.
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %lock) {
entry:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic
  %is_free = icmp eq i32 %old, 0
  br i1 %is_free, label %locked, label %end

locked:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %end

end:
  ret void
}

; ==== after ====
; granules of 4 and 8 bytes, written arguments [1, 0]

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %lock) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  %0 = call i64 @__mocl3_local_id(i32 0)
  %1 = call i64 @__mocl3_local_id(i32 1)
  %2 = call i64 @__mocl3_local_id(i32 2)
  %3 = call ptr @__mocl3_group_context()
  %4 = ptrtoint ptr addrspace(1) %lock to i64
  %5 = load i32, ptr %global_phase, align 4
  %6 = zext i32 %5 to i64
  %7 = mul i64 %6, 4294967296
  %8 = load i32, ptr %local_phase, align 4
  %9 = zext i32 %8 to i64
  %10 = add i64 %7, %9
  call void @__mocl3_race_access(ptr %3, i64 0, i64 0, i64 0, i64 %4, i64 4, i64 3, i64 %10, i64 %0, i64 %1, i64 %2)
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic, align 4
  %is_free = icmp eq i32 %old, 0
  br i1 %is_free, label %locked, label %end

locked:                                           ; preds = %entry
  %11 = call i64 @__mocl3_argument_bytes(i32 7)
  %12 = call i64 @__mocl3_argument_bytes(i32 10)
  %13 = inttoptr i64 %11 to ptr addrspace(1)
  %14 = inttoptr i64 %12 to ptr addrspace(1)
  %15 = getelementptr inbounds i8, ptr addrspace(1) %13, i64 0
  %16 = getelementptr inbounds i8, ptr addrspace(1) %14, i64 0
  %17 = load i32, ptr %global_phase, align 4
  %18 = zext i32 %17 to i64
  %19 = call i64 @__mocl3_group_id(i32 0)
  %20 = call i64 @__mocl3_group_id(i32 1)
  %21 = call i64 @__mocl3_group_id(i32 2)
  %22 = call i64 @__mocl3_num_groups(i32 0)
  %23 = call i64 @__mocl3_num_groups(i32 1)
  %24 = call i64 @__mocl3_num_groups(i32 2)
  %25 = mul i64 %23, %21
  %26 = add i64 %20, %25
  %27 = mul i64 %22, %26
  %28 = add i64 %19, %27
  %29 = urem i64 %28, 65521
  %30 = add i64 %29, 1
  %31 = mul i64 %30, 281474976710656
  %32 = and i64 %31, -281474976710656
  %33 = mul i64 %18, 268435456
  %34 = and i64 %33, 281474708275200
  %35 = or i64 65536, %32
  %36 = or i64 %35, %34
  %37 = call i64 @__mocl3_local_size(i32 0)
  %38 = call i64 @__mocl3_local_size(i32 1)
  %39 = call i64 @__mocl3_local_size(i32 2)
  %40 = call i64 @__mocl3_local_id(i32 0)
  %41 = call i64 @__mocl3_local_id(i32 1)
  %42 = call i64 @__mocl3_local_id(i32 2)
  %43 = mul i64 %38, %42
  %44 = add i64 %41, %43
  %45 = mul i64 %37, %44
  %46 = add i64 %40, %45
  %47 = mul i64 %46, 8
  %48 = and i64 %47, 65528
  %49 = or i64 %36, %48
  %50 = call i64 @__mocl3_argument_bytes(i32 13)
  store i32 1, ptr addrspace(1) %a, align 4
  store i64 %49, ptr addrspace(1) %15, align 8
  br label %end

end:                                              ; preds = %locked, %entry
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn
declare void @__mocl3_race_access(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_argument_bytes(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_group_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_num_groups(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_size(i32) #0

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn }
