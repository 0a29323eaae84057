; A variable on the stack that decides about a loop is kept with all that writes it; one that holds data is
; not.
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %sizes = alloca [4 x i64], align 8
  %values = alloca [4 x float], align 4
  call void @llvm.memset.p0.i64(ptr %sizes, i8 0, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr %values, i8 0, i64 16, i1 false)
  %n = load i64, ptr %arguments, align 8
  %second = getelementptr i64, ptr %sizes, i64 1
  store i64 %n, ptr %second, align 8
  %data = load ptr addrspace(3), ptr %arguments, align 8
  %x = load float, ptr addrspace(3) %data, align 4
  store float %x, ptr %values, align 4
  %which = and i64 %n, 3
  %place = getelementptr i64, ptr %sizes, i64 %which
  %times = load i64, ptr %place, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: None, buffers: false, profitable: false

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #0

define void @k(ptr %arguments, ptr %context) {
entry:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %sizes = alloca [4 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %sizes, i8 0, i64 32, i1 false)
  %n = load i64, ptr %arguments, align 8
  %second = getelementptr i64, ptr %sizes, i64 1
  store i64 %n, ptr %second, align 8
  %which = and i64 %n, 3
  %place = getelementptr i64, ptr %sizes, i64 %which
  %times = load i64, ptr %place, align 8
  store i64 %times, ptr %counters, align 8
  ret void
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: write) }
