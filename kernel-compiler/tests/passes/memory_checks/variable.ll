; The size of a variable is known: an access with a constant index within it is not checked, one
; outside is never made.
define spir_kernel void @k(i64 %i) {
entry:
  %array = alloca [4 x i32], align 4
  %inside = getelementptr inbounds [4 x i32], ptr %array, i64 0, i64 3
  store i32 1, ptr %inside, align 4
  %outside = getelementptr inbounds [4 x i32], ptr %array, i64 0, i64 4
  store i32 2, ptr %outside, align 4
  ret void
}

; ==== after ====
; checked: 1 accesses
; objects: variable array, 16 bytes

define spir_kernel void @k(i64 %i) {
entry:
  %array = alloca [4 x i32], align 4
  %inside = getelementptr [4 x i32], ptr %array, i64 0, i64 3
  store i32 1, ptr %inside, align 4
  %outside = getelementptr [4 x i32], ptr %array, i64 0, i64 4
  br i1 false, label %after1, label %report

after1:                                           ; preds = %entry
  store i32 2, ptr %outside, align 4
  br label %after

report:                                           ; preds = %entry
  %0 = call i64 @__mocl3_local_id(i32 0)
  %1 = call i64 @__mocl3_local_id(i32 1)
  %2 = call i64 @__mocl3_local_id(i32 2)
  %3 = call ptr @__mocl3_group_context()
  call void @__mocl3_memory_finding(ptr %3, i64 0, i64 0, i64 16, i64 4, i64 2, i64 %0, i64 %1, i64 %2)
  br label %after

after:                                            ; preds = %report, %after1
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_local_id(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
