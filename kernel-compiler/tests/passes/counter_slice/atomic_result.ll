; A counter depends on the result of an atomic operation, which must not be executed twice.
define void @k(ptr %arguments, ptr %context) {
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = atomicrmw add ptr addrspace(1) %data, i64 1 seq_cst, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}

; ==== after ====
; no slice: its counters depend on an operation with effects

define void @k(ptr %arguments, ptr %context) {
block:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = atomicrmw add ptr addrspace(1) %data, i64 1 seq_cst, align 8
  store i64 %x, ptr %counters, align 8
  ret void
}
