; A branch on data in global memory: there is no slice, since only the work itself decides what follows.
define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = load i32, ptr addrspace(1) %data, align 4
  %is = icmp eq i32 %x, 0
  br i1 %is, label %yes, label %no

yes:
  store i64 1, ptr %counters, align 8
  br label %no

no:
  ret void
}

; ==== after ====
; no slice: its counters depend on data in global or local memory

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %x = load i32, ptr addrspace(1) %data, align 4
  %is = icmp eq i32 %x, 0
  br i1 %is, label %yes, label %no

yes:                                              ; preds = %entry
  store i64 1, ptr %counters, align 8
  br label %no

no:                                               ; preds = %yes, %entry
  ret void
}
