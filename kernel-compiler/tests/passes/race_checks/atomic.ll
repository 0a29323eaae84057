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
; granules of 4 and 8 bytes, written arguments [1, 0], race-free [argument 0: OwnBytes { strides: [], bytes: 4 }, argument 1: atomic]

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %lock) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  %0 = call i64 @__mocl3_argument_bytes(i32 8)
  %1 = call i64 @__mocl3_argument_bytes(i32 11)
  %2 = icmp ne i64 %0, 0
  %3 = inttoptr i64 %0 to ptr addrspace(1)
  %4 = inttoptr i64 %1 to ptr addrspace(1)
  %5 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 0
  %6 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 0
  br i1 %2, label %tracked, label %after

tracked:                                          ; preds = %entry
  %7 = call i64 @__mocl3_local_id(i32 0)
  %8 = call i64 @__mocl3_local_id(i32 1)
  %9 = call i64 @__mocl3_local_id(i32 2)
  %10 = call ptr @__mocl3_group_context()
  %11 = ptrtoint ptr addrspace(1) %lock to i64
  %12 = load i32, ptr %global_phase, align 4
  %13 = zext i32 %12 to i64
  %14 = mul i64 %13, 4294967296
  %15 = load i32, ptr %local_phase, align 4
  %16 = zext i32 %15 to i64
  %17 = add i64 %14, %16
  call void @__mocl3_race_access(ptr %10, i64 0, i64 0, i64 0, i64 %11, i64 4, i64 3, i64 %17, i64 1, i64 %7, i64 %8, i64 %9)
  br label %after

after:                                            ; preds = %tracked, %entry
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic, align 4
  %is_free = icmp eq i32 %old, 0
  br i1 %is_free, label %locked, label %end

locked:                                           ; preds = %after
  %18 = call i64 @__mocl3_argument_bytes(i32 7)
  %19 = call i64 @__mocl3_argument_bytes(i32 10)
  %20 = icmp ne i64 %18, 0
  %21 = inttoptr i64 %18 to ptr addrspace(1)
  %22 = inttoptr i64 %19 to ptr addrspace(1)
  %23 = getelementptr inbounds i8, ptr addrspace(1) %21, i64 0
  %24 = getelementptr inbounds i8, ptr addrspace(1) %22, i64 0
  %25 = load i32, ptr %global_phase, align 4
  %26 = zext i32 %25 to i64
  %27 = call i64 @__mocl3_group_id(i32 0)
  %28 = call i64 @__mocl3_group_id(i32 1)
  %29 = call i64 @__mocl3_group_id(i32 2)
  %30 = call i64 @__mocl3_num_groups(i32 0)
  %31 = call i64 @__mocl3_num_groups(i32 1)
  %32 = call i64 @__mocl3_num_groups(i32 2)
  %33 = mul i64 %31, %29
  %34 = add i64 %28, %33
  %35 = mul i64 %30, %34
  %36 = add i64 %27, %35
  %37 = urem i64 %36, 65521
  %38 = add i64 %37, 1
  %39 = mul i64 %38, 281474976710656
  %40 = and i64 %39, -281474976710656
  %41 = mul i64 %26, 268435456
  %42 = and i64 %41, 281474708275200
  %43 = or i64 65536, %40
  %44 = or i64 %43, %42
  %45 = call i64 @__mocl3_local_size(i32 0)
  %46 = call i64 @__mocl3_local_size(i32 1)
  %47 = call i64 @__mocl3_local_size(i32 2)
  %48 = call i64 @__mocl3_local_id(i32 0)
  %49 = call i64 @__mocl3_local_id(i32 1)
  %50 = call i64 @__mocl3_local_id(i32 2)
  %51 = mul i64 %46, %50
  %52 = add i64 %49, %51
  %53 = mul i64 %45, %52
  %54 = add i64 %48, %53
  %55 = mul i64 %54, 8
  %56 = and i64 %55, 65528
  %57 = or i64 %44, %56
  %58 = call i64 @__mocl3_argument_bytes(i32 13)
  store i32 1, ptr addrspace(1) %a, align 4
  br i1 %20, label %tracked2, label %after1

tracked2:                                         ; preds = %locked
  store i64 %57, ptr addrspace(1) %23, align 8
  br label %after1

after1:                                           ; preds = %tracked2, %locked
  br label %end

end:                                              ; preds = %after1, %after
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_argument_bytes(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn
declare void @__mocl3_race_access(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_group_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_num_groups(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_size(i32) #0

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn }
