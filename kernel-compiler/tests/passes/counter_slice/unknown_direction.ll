; The target of a transfer is not known to be in local or in global memory: its address decides that when
; the slice runs.
declare ptr @__mocl3_timed_transfer(ptr, i32, ptr, i64, ptr, i64, i64, i64, ptr)

define void @k(ptr %arguments, ptr %context) {
  %to = load ptr, ptr %arguments, align 8
  %event = call ptr @__mocl3_timed_transfer(ptr %context, i32 1, ptr %to, i64 64, ptr %to, i64 256, i64 64, i64 2, ptr null)
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: false

declare ptr @__mocl3_timed_transfer(ptr, i32, ptr, i64, ptr, i64, i64, i64, ptr)

define void @k(ptr %arguments, ptr %context) {
block:
  %to = load ptr, ptr %arguments, align 8
  %0 = call ptr @__mocl3_recorded_transfer(ptr %context, i32 1, i32 2, ptr %to, i64 64, i64 256, i64 64, i64 2, ptr null)
  ret void
}

declare ptr @__mocl3_recorded_transfer(ptr, i32, i32, ptr, i64, i64, i64, i64, ptr)
