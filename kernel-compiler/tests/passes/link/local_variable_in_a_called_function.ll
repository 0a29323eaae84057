; A function with local variables is inlined into the kernel.
@f.tile = internal addrspace(3) global [4 x i32] undef

define i32 @f(i32 %i) noinline {
  %place = getelementptr i32, ptr addrspace(3) @f.tile, i32 %i
  %x = load i32, ptr addrspace(3) %place
  ret i32 %x
}

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %y = call i32 @f(i32 %i)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; ==== after ====
@f.tile = internal addrspace(3) global [4 x i32] undef

; Function Attrs: alwaysinline
define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) #0 {
entry:
  %0 = sext i32 %i to i64
  %place.i = getelementptr i32, ptr addrspace(3) @f.tile, i64 %0
  %x.i = load i32, ptr addrspace(3) %place.i, align 4
  store i32 %x.i, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { alwaysinline }
