; Arguments are stored in consecutive slots, and their types are described.
@format = internal addrspace(2) constant [13 x i8] c"%d %ld %f %p\00"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(i32 %i, i64 %l, double %d, ptr addrspace(1) %p) {
entry:
  %code = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, i64 %l, double %d, ptr addrspace(1) %p)
  store i32 %code, ptr addrspace(1) %p
  ret void
}

; ==== after ====
@format = internal addrspace(2) constant [13 x i8] c"%d %ld %f %p\00"
@printed.types = private constant [16 x i8] c"\00\04\01\08\00\08\01\08\01\08\01\08\02\08\01\08"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(i32 %i, i64 %l, double %d, ptr addrspace(1) %p) {
entry:
  %printed = alloca [32 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %printed, i64 0
  store i32 %i, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %printed, i64 8
  store i64 %l, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %printed, i64 16
  store double %d, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %printed, i64 24
  store ptr addrspace(1) %p, ptr %3, align 8
  %4 = call i32 @mocl3_printf(ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr @printed.types, i32 4, ptr %printed)
  store i32 %4, ptr addrspace(1) %p, align 4
  ret void
}

; Function Attrs: nounwind
declare i32 @mocl3_printf(ptr, ptr, i32, ptr) #0

attributes #0 = { nounwind }
