; separate objects
; The counters depend on what the kernel writes itself, so that there is no slice.
define void @k(ptr %arguments, ptr %context) {
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = load i64, ptr addrspace(1) %data, align 8
  %next = getelementptr i64, ptr addrspace(1) %data, i64 1
  store i64 %x, ptr addrspace(1) %next, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}

; ==== after ====
; no slice: its counters depend on data in global or local memory

define void @k(ptr %arguments, ptr %context) {
block:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = load i64, ptr addrspace(1) %data, align 8
  %next = getelementptr i64, ptr addrspace(1) %data, i64 1
  store i64 %x, ptr addrspace(1) %next, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}
