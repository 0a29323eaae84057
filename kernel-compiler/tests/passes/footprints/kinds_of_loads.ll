; Loads of an argument to which nothing is stored are recorded: of one element, of adjacent ones, of those that a
; mask names, and of those at each lane's address.
declare <16 x float> @llvm.masked.load.v16f32.p1(ptr addrspace(1), i32, <16 x i1>, <16 x float>)
declare <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)>, i32, <16 x i1>, <16 x float>)

define void @k(ptr %arguments, ptr %context) {
entry:
  %a = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %b = load ptr addrspace(1), ptr %place, align 8
  %one = load float, ptr addrspace(1) %a, align 4
  %adjacent = load <16 x float>, ptr addrspace(1) %a, align 4
  %mask = fcmp ogt <16 x float> %adjacent, zeroinitializer
  %named = call <16 x float> @llvm.masked.load.v16f32.p1(ptr addrspace(1) %a, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)
  %numbers = fptoui <16 x float> %named to <16 x i64>
  %each = getelementptr float, ptr addrspace(1) %a, <16 x i64> %numbers
  %gathered = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> %each, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)
  %of_b = load float, ptr addrspace(1) %b, align 4
  %sum = fadd float %one, %of_b
  %element = insertelement <16 x float> %gathered, float %sum, i64 0
  store <16 x float> %element, ptr addrspace(1) %b, align 4
  ret void
}

; ==== after ====
; argument at 0: block 0, 95 % of outside, 2 cycles in AM

define void @k(ptr %arguments, ptr %context) {
entry:
  %addresses5 = alloca <16 x i64>, align 128
  %addresses = alloca <16 x i64>, align 128
  %0 = getelementptr inbounds i8, ptr %context, i64 216
  %1 = load ptr, ptr %0, align 8
  %2 = ptrtoint ptr %1 to i64
  %3 = icmp ne i64 %2, 0
  %a = load ptr addrspace(1), ptr %arguments, align 8
  %place = getelementptr i8, ptr %arguments, i64 8
  %b = load ptr addrspace(1), ptr %place, align 8
  br i1 %3, label %recorded, label %after1

recorded:                                         ; preds = %entry
  %4 = ptrtoint ptr addrspace(1) %a to i64
  call void @__mocl3_record_load(ptr %1, i32 0, i64 %4, i64 4)
  br label %after1

after1:                                           ; preds = %recorded, %entry
  %one = load float, ptr addrspace(1) %a, align 4
  br i1 %3, label %recorded2, label %after3

recorded2:                                        ; preds = %after1
  %5 = ptrtoint ptr addrspace(1) %a to i64
  call void @__mocl3_record_load(ptr %1, i32 0, i64 %5, i64 64)
  br label %after3

after3:                                           ; preds = %recorded2, %after1
  %adjacent = load <16 x float>, ptr addrspace(1) %a, align 4
  %mask = fcmp ogt <16 x float> %adjacent, zeroinitializer
  br i1 %3, label %recorded4, label %after6

recorded4:                                        ; preds = %after3
  %6 = insertelement <16 x ptr addrspace(1)> poison, ptr addrspace(1) %a, i64 0
  %7 = shufflevector <16 x ptr addrspace(1)> %6, <16 x ptr addrspace(1)> poison, <16 x i32> zeroinitializer
  %8 = getelementptr i8, <16 x ptr addrspace(1)> %7, <16 x i64> <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60>
  %9 = ptrtoint <16 x ptr addrspace(1)> %8 to <16 x i64>
  store <16 x i64> %9, ptr %addresses, align 8
  %10 = bitcast <16 x i1> %mask to i16
  %11 = zext i16 %10 to i64
  call void @__mocl3_record_lanes(ptr %1, i32 0, ptr %addresses, i64 %11, i32 16, i32 4)
  br label %after6

after6:                                           ; preds = %recorded4, %after3
  %named = call <16 x float> @llvm.masked.load.v16f32.p1(ptr addrspace(1) align 4 %a, <16 x i1> %mask, <16 x float> zeroinitializer)
  %numbers = fptoui <16 x float> %named to <16 x i64>
  %each = getelementptr float, ptr addrspace(1) %a, <16 x i64> %numbers
  br i1 %3, label %recorded7, label %after

recorded7:                                        ; preds = %after6
  %12 = ptrtoint <16 x ptr addrspace(1)> %each to <16 x i64>
  store <16 x i64> %12, ptr %addresses5, align 8
  %13 = bitcast <16 x i1> %mask to i16
  %14 = zext i16 %13 to i64
  call void @__mocl3_record_lanes(ptr %1, i32 0, ptr %addresses5, i64 %14, i32 16, i32 4)
  br label %after

after:                                            ; preds = %recorded7, %after6
  %gathered = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %each, <16 x i1> %mask, <16 x float> zeroinitializer)
  %of_b = load float, ptr addrspace(1) %b, align 4
  %sum = fadd float %one, %of_b
  %element = insertelement <16 x float> %gathered, float %sum, i64 0
  store <16 x float> %element, ptr addrspace(1) %b, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p1(ptr addrspace(1) captures(none), <16 x i1>, <16 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)>, <16 x i1>, <16 x float>) #1

declare void @__mocl3_record_load(ptr, i32, i64, i64)

declare void @__mocl3_record_lanes(ptr, i32, ptr, i64, i32, i32)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
