; A variable with a larger alignment than that of vectors keeps it.
@first = internal addrspace(3) global i32 undef
@second = internal addrspace(3) global i32 undef, align 256

define spir_kernel void @k() {
entry:
  store i32 1, ptr addrspace(3) @first
  store i32 2, ptr addrspace(3) @second
  ret void
}

; ==== after ====
; local memory: 260 bytes

@first = internal addrspace(3) global i32 undef
@second = internal addrspace(3) global i32 undef, align 256

define spir_kernel void @k() {
entry:
  %0 = call ptr addrspace(3) @__mocl3_local_memory()
  %1 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 256
  %2 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 0
  store i32 1, ptr addrspace(3) %2, align 4
  store i32 2, ptr addrspace(3) %1, align 4
  ret void
}

declare ptr addrspace(3) @__mocl3_local_memory()
