; A kernel that another kernel calls (clang emits a function for its body) is inlined into it, and is still a kernel.
declare i64 @__mocl3_global_id(i32)

define void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @inner(ptr addrspace(1) %p) {
entry:
  call void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p)
  ret void
}

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  call void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p)
  store i64 7, ptr addrspace(1) %p
  ret void
}

; ==== after ====
declare i64 @__mocl3_global_id(i32)

; Function Attrs: alwaysinline
define spir_kernel void @inner(ptr addrspace(1) %p) #0 {
entry:
  %id.i = call i64 @__mocl3_global_id(i32 0)
  store i64 %id.i, ptr addrspace(1) %p, align 4
  ret void
}

; Function Attrs: alwaysinline
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
entry:
  %id.i = call i64 @__mocl3_global_id(i32 0)
  store i64 7, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { alwaysinline }
