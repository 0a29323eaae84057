; Sums up to 65,280 are extended as unsigned numbers, those from -255 on as signed ones. A product that
; needs more than 16 bits stays; so does one operation whose result has to be extended, and what is
; computed from no loaded value.
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

define void @k(ptr %rgb, ptr %to, i32 %id) {
entry:
  %green.at = getelementptr i8, ptr %rgb, i64 1
  %blue.at = getelementptr i8, ptr %rgb, i64 2
  %red = load i8, ptr %rgb, align 1
  %green = load i8, ptr %green.at, align 1
  %blue = load i8, ptr %blue.at, align 1
  %red.wide = zext i8 %red to i32
  %green.wide = zext i8 %green to i32
  %blue.wide = zext i8 %blue to i32
  %red.part = mul nuw nsw i32 %red.wide, 77
  %green.part = mul nuw nsw i32 %green.wide, 150
  %blue.part = mul nuw nsw i32 %blue.wide, 29
  %two = add nuw nsw i32 %red.part, %green.part
  %all = add nuw nsw i32 %two, %blue.part
  %grey = lshr i32 %all, 8
  %over = sub nsw i32 %grey, %red.wide
  %low = call i32 @llvm.smax.i32(i32 %over, i32 -100)
  %bounded = call i32 @llvm.smin.i32(i32 %low, i32 100)
  %halved = ashr i32 %bounded, 1
  store i32 %halved, ptr %to, align 4
  %far.at = getelementptr i8, ptr %rgb, i64 64
  %far = load i16, ptr %far.at, align 2
  %far.wide = sext i16 %far to i32
  %square = mul nsw i32 %far.wide, %far.wide
  %square.at = getelementptr i8, ptr %to, i64 4
  store i32 %square, ptr %square.at, align 4
  %lone.at = getelementptr i8, ptr %rgb, i64 128
  %lone = load i8, ptr %lone.at, align 1
  %lone.wide = zext i8 %lone to i32
  %more = add nuw nsw i32 %lone.wide, 1
  %more.at = getelementptr i8, ptr %to, i64 8
  store i32 %more, ptr %more.at, align 4
  %lane = and i32 %id, 31
  %near = add nuw nsw i32 %lane, 1
  %near.at = getelementptr i8, ptr %to, i64 12
  store i32 %near, ptr %near.at, align 4
  ret void
}

; ==== after ====
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #0

define void @k(ptr %rgb, ptr %to, i32 %id) {
entry:
  %green.at = getelementptr i8, ptr %rgb, i64 1
  %blue.at = getelementptr i8, ptr %rgb, i64 2
  %red = load i8, ptr %rgb, align 1
  %green = load i8, ptr %green.at, align 1
  %blue = load i8, ptr %blue.at, align 1
  %0 = zext i8 %red to i16
  %1 = zext i8 %green to i16
  %2 = zext i8 %blue to i16
  %3 = mul i16 %0, 77
  %4 = mul i16 %1, 150
  %5 = mul i16 %2, 29
  %6 = add i16 %3, %4
  %7 = add i16 %6, %5
  %8 = lshr i16 %7, 8
  %9 = sub i16 %8, %0
  %10 = call i16 @llvm.smax.i16(i16 %9, i16 -100)
  %11 = call i16 @llvm.smin.i16(i16 %10, i16 100)
  %12 = ashr i16 %11, 1
  %13 = sext i16 %12 to i32
  store i32 %13, ptr %to, align 4
  %far.at = getelementptr i8, ptr %rgb, i64 64
  %far = load i16, ptr %far.at, align 2
  %far.wide = sext i16 %far to i32
  %square = mul nsw i32 %far.wide, %far.wide
  %square.at = getelementptr i8, ptr %to, i64 4
  store i32 %square, ptr %square.at, align 4
  %lone.at = getelementptr i8, ptr %rgb, i64 128
  %lone = load i8, ptr %lone.at, align 1
  %lone.wide = zext i8 %lone to i32
  %more = add nuw nsw i32 %lone.wide, 1
  %more.at = getelementptr i8, ptr %to, i64 8
  store i32 %more, ptr %more.at, align 4
  %lane = and i32 %id, 31
  %near = add nuw nsw i32 %lane, 1
  %near.at = getelementptr i8, ptr %to, i64 12
  store i32 %near, ptr %near.at, align 4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.smax.i16(i16, i16) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.smin.i16(i16, i16) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
