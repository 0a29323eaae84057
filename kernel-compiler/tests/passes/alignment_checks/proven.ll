; Nothing is tested where the alignment is proven, or the type has less of it.
define void @k(ptr align 8 %aligned, ptr %packed, i64 %index) {
  %variable = alloca i64, align 8
  store i64 1, ptr %variable, align 8
  %address = getelementptr inbounds i64, ptr %aligned, i64 %index
  %value = load i64, ptr %address, align 8
  store i64 %value, ptr %packed, align 1
  ret void
}

; ==== after ====
define void @k(ptr align 8 %aligned, ptr %packed, i64 %index) {
  %variable = alloca i64, align 8
  store i64 1, ptr %variable, align 8
  %address = getelementptr inbounds i64, ptr %aligned, i64 %index
  %value = load i64, ptr %address, align 8
  store i64 %value, ptr %packed, align 1
  ret void
}
