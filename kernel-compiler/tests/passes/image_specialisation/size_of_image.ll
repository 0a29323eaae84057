; Only the format is known: other fields of the descriptor, such as the width, are still loaded.
; arguments: other, image 4277 4318 16
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %image) {
entry:
  %descriptor = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %width_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 8
  %width = load i32, ptr addrspace(2) %width_at
  %order_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 40
  %order = load i32, ptr addrspace(2) %order_at
  %sum = add i32 %width, %order
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %image) {
entry:
  %descriptor = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %width_at = getelementptr inbounds nuw i8, ptr addrspace(2) %descriptor, i64 8
  %width = load i32, ptr addrspace(2) %width_at, align 4
  %sum = add i32 %width, 4277
  store i32 %sum, ptr addrspace(1) %out, align 4
  ret void
}
