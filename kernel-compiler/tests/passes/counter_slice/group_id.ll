; Counters of active lanes depend on the group if the mask compares ids: the field at 104 is the group's
; id in the first dimension.
declare i16 @llvm.ctpop.i16(i16)

define void @k(ptr %arguments, ptr %context) {
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %place = getelementptr i8, ptr %context, i64 104
  %group = load i64, ptr %place, align 8
  %n = load i64, ptr %arguments, align 8
  %first = mul i64 %group, 16
  %one = insertelement <16 x i64> poison, i64 %first, i64 0
  %all = shufflevector <16 x i64> %one, <16 x i64> poison, <16 x i32> zeroinitializer
  %ids = add <16 x i64> %all, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  %one.n = insertelement <16 x i64> poison, i64 %n, i64 0
  %all.n = shufflevector <16 x i64> %one.n, <16 x i64> poison, <16 x i32> zeroinitializer
  %mask = icmp ult <16 x i64> %ids, %all.n
  %bits = bitcast <16 x i1> %mask to i16
  %lanes = call i16 @llvm.ctpop.i16(i16 %bits)
  %sum = zext i16 %lanes to i64
  store i64 %sum, ptr %counters, align 8
  ret void
}

; ==== after ====
; depends on: GroupId, buffers: false, profitable: false

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.ctpop.i16(i16) #0

define void @k(ptr %arguments, ptr %context) {
block:
  %field = getelementptr i8, ptr %context, i64 144
  %counters = load ptr, ptr %field, align 8
  %place = getelementptr i8, ptr %context, i64 104
  %group = load i64, ptr %place, align 8
  %n = load i64, ptr %arguments, align 8
  %first = mul i64 %group, 16
  %one = insertelement <16 x i64> poison, i64 %first, i64 0
  %all = shufflevector <16 x i64> %one, <16 x i64> poison, <16 x i32> zeroinitializer
  %ids = add <16 x i64> %all, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  %one.n = insertelement <16 x i64> poison, i64 %n, i64 0
  %all.n = shufflevector <16 x i64> %one.n, <16 x i64> poison, <16 x i32> zeroinitializer
  %mask = icmp ult <16 x i64> %ids, %all.n
  %bits = bitcast <16 x i1> %mask to i16
  %lanes = call i16 @llvm.ctpop.i16(i16 %bits)
  %sum = zext i16 %lanes to i64
  store i64 %sum, ptr %counters, align 8
  ret void
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
