; A vector that the calling convention passes in memory is printed by value.
@format = internal addrspace(2) constant [7 x i8] c"%v8hlf\00"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(ptr byval(<8 x float>) align 32 %v) {
entry:
  %code = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, ptr byval(<8 x float>) align 32 %v)
  ret void
}

; ==== after ====
@format = internal addrspace(2) constant [7 x i8] c"%v8hlf\00"
@printed.types = private constant [4 x i8] c"\01\04\08 "

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(ptr byval(<8 x float>) align 32 %v) {
entry:
  %printed = alloca [32 x i8], align 8
  %0 = load <8 x float>, ptr %v, align 1
  %1 = getelementptr inbounds i8, ptr %printed, i64 0
  store <8 x float> %0, ptr %1, align 8
  %2 = call i32 @mocl3_printf(ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr @printed.types, i32 1, ptr %printed)
  ret void
}

; Function Attrs: nounwind
declare i32 @mocl3_printf(ptr, ptr, i32, ptr) #0

attributes #0 = { nounwind }
