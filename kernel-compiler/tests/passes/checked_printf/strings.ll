; The end of a string that is no literal is searched by code, up to the precision.
@format = internal addrspace(2) constant [16 x i8] c"%s %d %.3s %s%p\00"
@literal = internal addrspace(2) constant [2 x i8] c"x\00"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(ptr addrspace(1) %text, ptr addrspace(2) %name, i32 %number) {
entry:
  %code = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, ptr addrspace(1) %text, i32 %number, ptr addrspace(2) %name, ptr addrspace(2) @literal, ptr addrspace(1) %text)
  ret void
}

; ==== after ====
@format = internal addrspace(2) constant [16 x i8] c"%s %d %.3s %s%p\00"
@literal = internal addrspace(2) constant [2 x i8] c"x\00"
@printed.types = private constant [20 x i8] c"\03\08\01\10\00\04\01\08\03\08\01\10\02\08\01\08\02\08\01\08"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k(ptr addrspace(1) %text, ptr addrspace(2) %name, i32 %number) {
entry:
  %printed = alloca [56 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %printed, i64 0
  store ptr addrspace(1) %text, ptr %0, align 8
  %1 = call i64 @__mocl3_string_length_global(ptr addrspace(1) %text, i64 -1)
  %2 = getelementptr inbounds i8, ptr %printed, i64 8
  store i64 %1, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %printed, i64 16
  store i32 %number, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %printed, i64 24
  store ptr addrspace(2) %name, ptr %4, align 8
  %5 = call i64 @__mocl3_string_length_constant(ptr addrspace(2) %name, i64 3)
  %6 = getelementptr inbounds i8, ptr %printed, i64 32
  store i64 %5, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %printed, i64 40
  store ptr addrspace(2) @literal, ptr %7, align 8
  %8 = getelementptr inbounds i8, ptr %printed, i64 48
  store ptr addrspace(1) %text, ptr %8, align 8
  %9 = call i32 @mocl3_printf(ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr @printed.types, i32 5, ptr %printed)
  ret void
}

; Function Attrs: nounwind
declare i32 @mocl3_printf(ptr, ptr, i32, ptr) #0

declare i64 @__mocl3_string_length_global(ptr addrspace(1), i64)

declare i64 @__mocl3_string_length_constant(ptr addrspace(2), i64)

attributes #0 = { nounwind }
