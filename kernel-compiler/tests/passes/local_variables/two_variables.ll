; Local variables are at offsets from the base of local memory, aligned for vectors; constant expressions over them become instructions.
@tile = internal addrspace(3) global [16 x float] undef
@flag = internal addrspace(3) global i32 undef

define spir_kernel void @k() {
entry:
  store i32 1, ptr addrspace(3) @flag
  store float 2.0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8)
  ret void
}

; ==== after ====
; local memory: 68 bytes

@tile = internal addrspace(3) global [16 x float] undef
@flag = internal addrspace(3) global i32 undef

define spir_kernel void @k() {
entry:
  %0 = call ptr addrspace(3) @__mocl3_local_memory()
  %1 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 64
  %2 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 0
  store i32 1, ptr addrspace(3) %1, align 4
  %3 = getelementptr i8, ptr addrspace(3) %2, i64 8
  store float 2.000000e+00, ptr addrspace(3) %3, align 4
  ret void
}

declare ptr addrspace(3) @__mocl3_local_memory()
