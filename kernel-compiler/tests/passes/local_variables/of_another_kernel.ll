; A variable that only another kernel uses has no storage in this one.
@mine = internal addrspace(3) global i32 undef
@other = internal addrspace(3) global [100 x i32] undef

define spir_kernel void @k() {
entry:
  store i32 1, ptr addrspace(3) @mine
  ret void
}

define spir_kernel void @another() {
entry:
  store i32 1, ptr addrspace(3) @other
  ret void
}

; ==== after ====
; local memory: 4 bytes

@mine = internal addrspace(3) global i32 undef
@other = internal addrspace(3) global [100 x i32] undef

define spir_kernel void @k() {
entry:
  %0 = call ptr addrspace(3) @__mocl3_local_memory()
  %1 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 0
  store i32 1, ptr addrspace(3) %1, align 4
  ret void
}

define spir_kernel void @another() {
entry:
  store i32 1, ptr addrspace(3) @other, align 4
  ret void
}

declare ptr addrspace(3) @__mocl3_local_memory()
