; A kernel with unknown images and samplers is not changed.
define internal i32 @__image_load_integer(i32 %order, i32 %type) {
entry:
  %known = icmp eq i32 %order, 4277
  br i1 %known, label %yes, label %no

yes:
  ret i32 %type

no:
  ret i32 0
}

define internal i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %sampler) {
entry:
  %order_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 40
  %order = load i32, ptr addrspace(2) %order_at
  %type_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 44
  %type = load i32, ptr addrspace(2) %type_at
  %color = call i32 @__image_load_integer(i32 %order, i32 %type)
  %sum = add i32 %color, %sampler
  ret i32 %sum
}

define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %image, ptr addrspace(2) %sampler) {
entry:
  %descriptor = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %bits = ptrtoint ptr addrspace(2) %sampler to i64
  %low = trunc i64 %bits to i32
  %color = call i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %low)
  store i32 %color, ptr addrspace(1) %out
  ret void
}

; ==== after ====
define internal i32 @__image_load_integer(i32 %order, i32 %type) {
entry:
  %known = icmp eq i32 %order, 4277
  br i1 %known, label %yes, label %no

yes:                                              ; preds = %entry
  ret i32 %type

no:                                               ; preds = %entry
  ret i32 0
}

define internal i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %sampler) {
entry:
  %order_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 40
  %order = load i32, ptr addrspace(2) %order_at, align 4
  %type_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 44
  %type = load i32, ptr addrspace(2) %type_at, align 4
  %color = call i32 @__image_load_integer(i32 %order, i32 %type)
  %sum = add i32 %color, %sampler
  ret i32 %sum
}

define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %image, ptr addrspace(2) %sampler) {
entry:
  %descriptor = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
  %bits = ptrtoint ptr addrspace(2) %sampler to i64
  %low = trunc i64 %bits to i32
  %color = call i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %low)
  store i32 %color, ptr addrspace(1) %out, align 4
  ret void
}
