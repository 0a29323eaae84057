; An empty string ends at once; other constants are read, or no strings at all.
@format = internal addrspace(2) constant [11 x i8] c"%s%s%s%s%s\00"
@empty = internal addrspace(2) constant [1 x i8] zeroinitializer
@unterminated = internal addrspace(2) constant [2 x i8] c"ab"
@numbers = internal addrspace(2) constant [2 x i32] [i32 97, i32 0]
@structure = internal addrspace(2) constant { i8, i32 } { i8 97, i32 0 }

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k() {
entry:
  %code = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, ptr addrspace(2) @empty, ptr addrspace(2) @unterminated, ptr addrspace(2) @numbers, ptr addrspace(2) @structure, i32 0)
  ret void
}

; ==== after ====
@format = internal addrspace(2) constant [11 x i8] c"%s%s%s%s%s\00"
@empty = internal addrspace(2) constant [1 x i8] zeroinitializer
@unterminated = internal addrspace(2) constant [2 x i8] c"ab"
@numbers = internal addrspace(2) constant [2 x i32] [i32 97, i32 0]
@structure = internal addrspace(2) constant { i8, i32 } { i8 97, i32 0 }
@printed.types = private constant [20 x i8] c"\02\08\01\08\03\08\01\10\03\08\01\10\03\08\01\10\00\04\01\08"

declare i32 @printf(ptr addrspace(2), ...)

define spir_kernel void @k() {
entry:
  %printed = alloca [64 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %printed, i64 0
  store ptr addrspace(2) @empty, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %printed, i64 8
  store ptr addrspace(2) @unterminated, ptr %1, align 8
  %2 = call i64 @__mocl3_string_length_constant(ptr addrspace(2) @unterminated, i64 -1)
  %3 = getelementptr inbounds i8, ptr %printed, i64 16
  store i64 %2, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %printed, i64 24
  store ptr addrspace(2) @numbers, ptr %4, align 8
  %5 = call i64 @__mocl3_string_length_constant(ptr addrspace(2) @numbers, i64 -1)
  %6 = getelementptr inbounds i8, ptr %printed, i64 32
  store i64 %5, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %printed, i64 40
  store ptr addrspace(2) @structure, ptr %7, align 8
  %8 = call i64 @__mocl3_string_length_constant(ptr addrspace(2) @structure, i64 -1)
  %9 = getelementptr inbounds i8, ptr %printed, i64 48
  store i64 %8, ptr %9, align 8
  %10 = getelementptr inbounds i8, ptr %printed, i64 56
  store i32 0, ptr %10, align 8
  %11 = call i32 @mocl3_printf(ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr @printed.types, i32 5, ptr %printed)
  ret void
}

; Function Attrs: nounwind
declare i32 @mocl3_printf(ptr, ptr, i32, ptr) #0

declare i64 @__mocl3_string_length_constant(ptr addrspace(2), i64)

attributes #0 = { nounwind }
