; Constant memory is written by no kernel: counters may depend on it.
define void @k(ptr %arguments, ptr %context) {
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(2), ptr %arguments, align 8
  %x = load i64, ptr addrspace(2) %data, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: false

define void @k(ptr %arguments, ptr %context) {
block:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(2), ptr %arguments, align 8
  %x = load i64, ptr addrspace(2) %data, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}
