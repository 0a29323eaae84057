; Words of local memory count for one group and phase. After the barrier, which fences local memory
; only, the phase is another one. A value that memory has is no conflict with its write.
declare void @__mocl3_barrier(i32)

define spir_kernel void @k(ptr addrspace(3) %tile, i64 %i) {
entry:
  call void @__mocl3_barrier(i32 1)
  %p = getelementptr inbounds i64, ptr addrspace(3) %tile, i64 %i
  store i64 1, ptr addrspace(3) %p, align 8
  ret void
}

; ==== after ====
; granules of 8 and 8 bytes, written arguments [0], race-free []

declare void @__mocl3_barrier(i32)

define spir_kernel void @k(ptr addrspace(3) %tile, i64 %i) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  call void @__mocl3_barrier(i32 1)
  %0 = load i32, ptr %local_phase, align 4
  %1 = add i32 %0, 1
  store i32 %1, ptr %local_phase, align 4
  %p = getelementptr inbounds i64, ptr addrspace(3) %tile, i64 %i
  %2 = mul i64 %i, 8
  %3 = add i64 0, %2
  %4 = call ptr addrspace(3) @__mocl3_local_memory()
  %5 = ptrtoint ptr addrspace(3) %tile to i64
  %6 = ptrtoint ptr addrspace(3) %4 to i64
  %7 = sub i64 %5, %6
  %8 = call i64 @__mocl3_argument_bytes(i32 9)
  %9 = call i64 @__mocl3_argument_bytes(i32 12)
  %10 = getelementptr inbounds i8, ptr addrspace(3) %4, i64 %8
  %11 = getelementptr inbounds i8, ptr addrspace(3) %4, i64 %9
  %12 = add i64 %7, %3
  %13 = mul i64 %12, 1
  %14 = getelementptr inbounds i8, ptr addrspace(3) %10, i64 %13
  %15 = getelementptr inbounds i8, ptr addrspace(3) %11, i64 %13
  %16 = load i32, ptr %local_phase, align 4
  %17 = zext i32 %16 to i64
  %18 = call i64 @__mocl3_group_id(i32 0)
  %19 = call i64 @__mocl3_group_id(i32 1)
  %20 = call i64 @__mocl3_group_id(i32 2)
  %21 = call i64 @__mocl3_num_groups(i32 0)
  %22 = call i64 @__mocl3_num_groups(i32 1)
  %23 = call i64 @__mocl3_num_groups(i32 2)
  %24 = mul i64 %22, %20
  %25 = add i64 %19, %24
  %26 = mul i64 %21, %25
  %27 = add i64 %18, %26
  %28 = urem i64 %27, 65521
  %29 = add i64 %28, 1
  %30 = mul i64 %29, 281474976710656
  %31 = and i64 %30, -281474976710656
  %32 = mul i64 %17, 268435456
  %33 = and i64 %32, 281474708275200
  %34 = or i64 0, %31
  %35 = or i64 %34, %33
  %36 = call i64 @__mocl3_local_size(i32 0)
  %37 = call i64 @__mocl3_local_size(i32 1)
  %38 = call i64 @__mocl3_local_size(i32 2)
  %39 = call i64 @__mocl3_local_id(i32 0)
  %40 = call i64 @__mocl3_local_id(i32 1)
  %41 = call i64 @__mocl3_local_id(i32 2)
  %42 = mul i64 %37, %41
  %43 = add i64 %40, %42
  %44 = mul i64 %36, %43
  %45 = add i64 %39, %44
  %46 = mul i64 %45, 8
  %47 = and i64 %46, 65528
  %48 = or i64 %35, %47
  %49 = call i64 @__mocl3_argument_bytes(i32 13)
  %50 = load i64, ptr addrspace(3) %14, align 8
  %51 = load i64, ptr addrspace(3) %15, align 8
  %52 = xor i64 %50, %48
  %53 = and i64 %52, 65529
  %54 = icmp ne i64 %53, 0
  %55 = xor i64 %50, %35
  %56 = and i64 %55, -268435456
  %57 = icmp eq i64 %56, 0
  %58 = and i1 %57, %54
  %59 = xor i64 %51, %48
  %60 = and i64 %59, 65529
  %61 = icmp ne i64 %60, 0
  %62 = xor i64 %51, %35
  %63 = and i64 %62, -268435456
  %64 = icmp eq i64 %63, 0
  %65 = and i1 %64, %61
  %66 = or i1 %58, %65
  br i1 %66, label %conflict, label %after4

conflict:                                         ; preds = %entry
  %67 = load i64, ptr addrspace(3) %p, align 8
  %68 = icmp eq i64 %67, 1
  %69 = icmp eq i1 %68, false
  %70 = and i1 %58, %69
  br i1 %70, label %race, label %after1

race:                                             ; preds = %conflict
  %71 = call i64 @__mocl3_local_id(i32 0)
  %72 = call i64 @__mocl3_local_id(i32 1)
  %73 = call i64 @__mocl3_local_id(i32 2)
  %74 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %74, i64 0, i64 0, i64 %3, i64 8, i64 %50, i64 1, i64 %71, i64 %72, i64 %73)
  br label %after1

after1:                                           ; preds = %race, %conflict
  br i1 %65, label %race3, label %after2

race3:                                            ; preds = %after1
  %75 = call i64 @__mocl3_local_id(i32 0)
  %76 = call i64 @__mocl3_local_id(i32 1)
  %77 = call i64 @__mocl3_local_id(i32 2)
  %78 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %78, i64 0, i64 0, i64 %3, i64 8, i64 %51, i64 1, i64 %75, i64 %76, i64 %77)
  br label %after2

after2:                                           ; preds = %race3, %after1
  br label %after4

after4:                                           ; preds = %after2, %entry
  store i64 1, ptr addrspace(3) %p, align 8
  store i64 %48, ptr addrspace(3) %14, align 8
  %79 = getelementptr inbounds i8, ptr addrspace(3) %14, i64 %49
  %80 = load i64, ptr addrspace(3) %79, align 8
  %81 = xor i64 %80, %48
  %82 = and i64 %81, 65528
  %83 = icmp ne i64 %82, 0
  br i1 %83, label %overwritten, label %after

overwritten:                                      ; preds = %after4
  %84 = load i64, ptr addrspace(3) %p, align 8
  %85 = icmp eq i64 %84, 1
  %86 = icmp eq i1 %85, false
  %87 = and i1 %83, %86
  br i1 %87, label %race6, label %after5

race6:                                            ; preds = %overwritten
  %88 = call i64 @__mocl3_local_id(i32 0)
  %89 = call i64 @__mocl3_local_id(i32 1)
  %90 = call i64 @__mocl3_local_id(i32 2)
  %91 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %91, i64 0, i64 0, i64 %3, i64 8, i64 %80, i64 1, i64 %88, i64 %89, i64 %90)
  br label %after5

after5:                                           ; preds = %race6, %overwritten
  br label %after

after:                                            ; preds = %after5, %after4
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr addrspace(3) @__mocl3_local_memory() #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_argument_bytes(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_group_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_num_groups(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_size(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_race_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
