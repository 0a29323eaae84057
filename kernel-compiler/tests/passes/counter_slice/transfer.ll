; A transfer is recorded with its direction and size, and untimed code performs it: addresses are left
; out. Its event is passed on.
declare ptr @__mocl3_timed_transfer(ptr, i32, ptr, i64, ptr, i64, i64, i64, ptr)
declare void @__mocl3_timed_wait(ptr, i32, ptr)

define void @k(ptr %arguments, ptr %context) {
  %field = getelementptr i8, ptr %context, i64 152
  %recorder = load ptr, ptr %field, align 8
  %data = load ptr addrspace(1), ptr %arguments, align 8
  %tile = load ptr addrspace(3), ptr %arguments, align 8
  %rows.place = getelementptr i8, ptr %arguments, i64 8
  %rows = load i64, ptr %rows.place, align 8
  %from = addrspacecast ptr addrspace(1) %data to ptr
  %to = addrspacecast ptr addrspace(3) %tile to ptr
  %first = call ptr @__mocl3_timed_transfer(ptr %recorder, i32 1, ptr %to, i64 64, ptr %from, i64 256, i64 64, i64 %rows, ptr null)
  %back = call ptr @__mocl3_timed_transfer(ptr %recorder, i32 2, ptr %from, i64 256, ptr %to, i64 64, i64 64, i64 %rows, ptr %first)
  call void @__mocl3_timed_wait(ptr %recorder, i32 3, ptr %back)
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: false

declare ptr @__mocl3_timed_transfer(ptr, i32, ptr, i64, ptr, i64, i64, i64, ptr)

declare void @__mocl3_timed_wait(ptr, i32, ptr)

define void @k(ptr %arguments, ptr %context) {
block:
  %field = getelementptr i8, ptr %context, i64 152
  %recorder = load ptr, ptr %field, align 8
  %rows.place = getelementptr i8, ptr %arguments, i64 8
  %rows = load i64, ptr %rows.place, align 8
  %0 = call ptr @__mocl3_recorded_transfer(ptr %recorder, i32 1, i32 1, ptr null, i64 64, i64 256, i64 64, i64 %rows, ptr null)
  %1 = call ptr @__mocl3_recorded_transfer(ptr %recorder, i32 2, i32 0, ptr null, i64 256, i64 64, i64 64, i64 %rows, ptr %0)
  call void @__mocl3_timed_wait(ptr %recorder, i32 3, ptr %1)
  ret void
}

declare ptr @__mocl3_recorded_transfer(ptr, i32, i32, ptr, i64, i64, i64, i64, ptr)
