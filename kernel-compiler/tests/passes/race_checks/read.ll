; A read of an argument that the kernel does not write: only if it has words, which depends on the
; launch. One branch skips what several work-items have read in this phase.
define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  ret void
}

; ==== after ====
; granules of 4 and 8 bytes, written arguments [], race-free [argument 0: OwnBytes { strides: [], bytes: 4 }]

define spir_kernel void @k(ptr addrspace(1) %a, i64 %i) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %0 = mul i64 %i, 4
  %1 = add i64 0, %0
  %2 = call i64 @__mocl3_argument_bytes(i32 7)
  %3 = call i64 @__mocl3_argument_bytes(i32 10)
  %4 = icmp ne i64 %2, 0
  %5 = inttoptr i64 %2 to ptr addrspace(1)
  %6 = inttoptr i64 %3 to ptr addrspace(1)
  %7 = mul i64 %1, 2
  %8 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 %7
  %9 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %7
  %10 = load i32, ptr %global_phase, align 4
  %11 = zext i32 %10 to i64
  %12 = call i64 @__mocl3_group_id(i32 0)
  %13 = call i64 @__mocl3_group_id(i32 1)
  %14 = call i64 @__mocl3_group_id(i32 2)
  %15 = call i64 @__mocl3_num_groups(i32 0)
  %16 = call i64 @__mocl3_num_groups(i32 1)
  %17 = call i64 @__mocl3_num_groups(i32 2)
  %18 = mul i64 %16, %14
  %19 = add i64 %13, %18
  %20 = mul i64 %15, %19
  %21 = add i64 %12, %20
  %22 = urem i64 %21, 65521
  %23 = add i64 %22, 1
  %24 = mul i64 %23, 281474976710656
  %25 = and i64 %24, -281474976710656
  %26 = mul i64 %11, 268435456
  %27 = and i64 %26, 281474708275200
  %28 = or i64 0, %25
  %29 = or i64 %28, %27
  %30 = call i64 @__mocl3_local_size(i32 0)
  %31 = call i64 @__mocl3_local_size(i32 1)
  %32 = call i64 @__mocl3_local_size(i32 2)
  %33 = call i64 @__mocl3_local_id(i32 0)
  %34 = call i64 @__mocl3_local_id(i32 1)
  %35 = call i64 @__mocl3_local_id(i32 2)
  %36 = mul i64 %31, %35
  %37 = add i64 %34, %36
  %38 = mul i64 %30, %37
  %39 = add i64 %33, %38
  %40 = mul i64 %39, 8
  %41 = and i64 %40, 65528
  %42 = or i64 %29, %41
  %43 = call i64 @__mocl3_argument_bytes(i32 13)
  br i1 %4, label %tracked, label %after

tracked:                                          ; preds = %entry
  %44 = load i64, ptr addrspace(1) %8, align 8
  %45 = load i64, ptr addrspace(1) %9, align 8
  %46 = icmp ne i64 %44, 0
  %47 = xor i64 %45, %29
  %48 = and i64 %47, -268435455
  %49 = icmp ne i64 %48, 1
  %50 = and i64 %45, 2
  %51 = icmp eq i64 %50, 0
  %52 = and i1 %49, %51
  %53 = or i1 %46, %52
  br i1 %53, label %compare, label %after1

compare:                                          ; preds = %tracked
  %54 = xor i64 %44, %42
  %55 = and i64 %54, 65529
  %56 = icmp ne i64 %55, 0
  %57 = icmp ne i64 %44, 0
  %58 = xor i64 %44, %29
  %59 = and i64 %58, 281474708275200
  %60 = icmp eq i64 %59, 0
  %61 = and i1 %60, %56
  %62 = xor i64 %44, %29
  %63 = and i64 %62, -281474976710654
  %64 = icmp ne i64 %63, 0
  %65 = or i1 %64, %61
  %66 = and i1 %57, %65
  br i1 %66, label %race, label %after2

race:                                             ; preds = %compare
  %67 = call i64 @__mocl3_local_id(i32 0)
  %68 = call i64 @__mocl3_local_id(i32 1)
  %69 = call i64 @__mocl3_local_id(i32 2)
  %70 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %70, i64 0, i64 0, i64 %1, i64 4, i64 %44, i64 0, i64 %67, i64 %68, i64 %69)
  br label %after2

after2:                                           ; preds = %race, %compare
  %71 = xor i64 %45, %42
  %72 = and i64 %71, -268369928
  %73 = icmp ne i64 %72, 0
  br i1 %73, label %enter, label %after3

enter:                                            ; preds = %after2
  %74 = xor i64 %45, %29
  %75 = and i64 %74, -281474976710654
  %76 = icmp ne i64 %75, 0
  %77 = select i1 %76, i64 2, i64 1
  %78 = xor i64 %45, %42
  %79 = and i64 %78, 65529
  %80 = icmp ne i64 %79, 0
  %81 = icmp ne i64 %45, 0
  %82 = xor i64 %45, %29
  %83 = and i64 %82, 281474708275200
  %84 = icmp eq i64 %83, 0
  %85 = and i1 %84, %80
  %86 = xor i64 %45, %29
  %87 = and i64 %86, -281474976710654
  %88 = icmp ne i64 %87, 0
  %89 = or i1 %88, %85
  %90 = and i1 %81, %89
  %91 = select i1 %90, i64 %77, i64 0
  %92 = or i64 %42, %91
  store i64 %92, ptr addrspace(1) %9, align 8
  %93 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %43
  %94 = load i64, ptr addrspace(1) %93, align 8
  %95 = xor i64 %94, %42
  %96 = and i64 %95, 65528
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %several, label %after4

several:                                          ; preds = %enter
  %98 = or i64 %94, 1
  store i64 %98, ptr addrspace(1) %9, align 8
  br label %after4

after4:                                           ; preds = %several, %enter
  br label %after3

after3:                                           ; preds = %after4, %after2
  br label %after1

after1:                                           ; preds = %after3, %tracked
  br label %after

after:                                            ; preds = %after1, %entry
  %v = load i32, ptr addrspace(1) %p, align 4
  ret void
}

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
