; `sum += abs(a[i] - b[i])` of bytes fits in 16 bits; the sum is stored with 16 bits, and extended for
; the conversion to float. The index stays as it is.
declare i32 @llvm.abs.i32(i32, i1)

define void @k(ptr %a, ptr %b, ptr %to, ptr %of_float, i32 %i) {
entry:
  %a.0 = load i8, ptr %a, align 1
  %b.0 = load i8, ptr %b, align 1
  %a.0.wide = zext i8 %a.0 to i32
  %b.0.wide = zext i8 %b.0 to i32
  %difference.0 = sub nsw i32 %a.0.wide, %b.0.wide
  %size.0 = call i32 @llvm.abs.i32(i32 %difference.0, i1 true)
  %next = add nsw i32 %i, 1
  %index = sext i32 %next to i64
  %a.next = getelementptr inbounds i8, ptr %a, i64 %index
  %b.next = getelementptr inbounds i8, ptr %b, i64 %index
  %a.1 = load i8, ptr %a.next, align 1
  %b.1 = load i8, ptr %b.next, align 1
  %a.1.wide = zext i8 %a.1 to i32
  %b.1.wide = zext i8 %b.1 to i32
  %difference.1 = sub nsw i32 %a.1.wide, %b.1.wide
  %size.1 = call i32 @llvm.abs.i32(i32 %difference.1, i1 true)
  %sum = add nuw nsw i32 %size.0, %size.1
  %narrow = trunc i32 %sum to i16
  store i16 %narrow, ptr %to, align 2
  %number = uitofp i32 %sum to float
  store float %number, ptr %of_float, align 4
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #0

define void @k(ptr %a, ptr %b, ptr %to, ptr %of_float, i32 %i) {
entry:
  %a.0 = load i8, ptr %a, align 1
  %b.0 = load i8, ptr %b, align 1
  %0 = zext i8 %a.0 to i16
  %1 = zext i8 %b.0 to i16
  %2 = sub i16 %0, %1
  %3 = call i16 @llvm.abs.i16(i16 %2, i1 false)
  %next = add nsw i32 %i, 1
  %index = sext i32 %next to i64
  %a.next = getelementptr inbounds i8, ptr %a, i64 %index
  %b.next = getelementptr inbounds i8, ptr %b, i64 %index
  %a.1 = load i8, ptr %a.next, align 1
  %b.1 = load i8, ptr %b.next, align 1
  %4 = zext i8 %a.1 to i16
  %5 = zext i8 %b.1 to i16
  %6 = sub i16 %4, %5
  %7 = call i16 @llvm.abs.i16(i16 %6, i1 false)
  %8 = add i16 %3, %7
  %9 = sext i16 %8 to i32
  store i16 %8, ptr %to, align 2
  %number = uitofp i32 %9 to float
  store float %number, ptr %of_float, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.abs.i16(i16, i1 immarg) #0

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
