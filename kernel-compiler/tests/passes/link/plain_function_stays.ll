; A function that does not query its work-item is not inlined, and becomes internal.
define i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}

define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
entry:
  %y = call i32 @twice(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; ==== after ====
define internal i32 @twice(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}

define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
entry:
  %y = call i32 @twice(i32 %x)
  store i32 %y, ptr addrspace(1) %p, align 4
  ret void
}
