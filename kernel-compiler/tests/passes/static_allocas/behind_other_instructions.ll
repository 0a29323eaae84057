; Variables behind other instructions of the entry block move to its start; those of other blocks,
; and those whose size is not known, stay.
declare void @declared(ptr)

define void @k(ptr %sizes, i1 %again) {
entry:
  %first = alloca i32, align 4
  %size = load i32, ptr %sizes, align 4
  %behind = alloca <4 x double>, align 32
  store i32 %size, ptr %first, align 4
  %last = alloca [3 x i32], align 4
  %sized = alloca i8, i32 %size, align 16
  br label %body

body:
  %inside = alloca i64, align 8
  call void @declared(ptr %inside)
  call void @declared(ptr %sized)
  call void @declared(ptr %last)
  call void @declared(ptr %behind)
  br i1 %again, label %body, label %exit

exit:
  ret void
}

; ==== after ====
declare void @declared(ptr)

define void @k(ptr %sizes, i1 %again) {
entry:
  %behind = alloca <4 x double>, align 32
  %last = alloca [3 x i32], align 4
  %first = alloca i32, align 4
  %size = load i32, ptr %sizes, align 4
  store i32 %size, ptr %first, align 4
  %sized = alloca i8, i32 %size, align 16
  br label %body

body:                                             ; preds = %body, %entry
  %inside = alloca i64, align 8
  call void @declared(ptr %inside)
  call void @declared(ptr %sized)
  call void @declared(ptr %last)
  call void @declared(ptr %behind)
  br i1 %again, label %body, label %exit

exit:                                             ; preds = %body
  ret void
}
