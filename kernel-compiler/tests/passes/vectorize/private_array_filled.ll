; `memset` and `memcpy` of a private array are expanded, so that one access covers an element of all
; lanes.
; lanes: 4
@start = private constant [2 x i32] [i32 3, i32 5]

define void @k(ptr addrspace(1) %a) {
entry:
  %sums = alloca [3 x i32], align 16
  %array = alloca [4 x i32], align 16
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %index = load i32, ptr addrspace(1) %a, align 4
  %long = sext i32 %index to i64
  %value = load i32, ptr addrspace(1) %from, align 4
  call void @llvm.memset.p0.i64(ptr align 16 %sums, i8 1, i64 12, i1 false)
  %rest = getelementptr i8, ptr %array, i64 8
  call void @llvm.memset.p0.i64(ptr align 16 %array, i8 0, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %rest, ptr align 4 @start, i64 8, i1 false)
  %element = getelementptr i32, ptr %array, i64 %long
  store i32 %value, ptr %element, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %sums, ptr align 16 %array, i64 8, i1 false)
  %place = getelementptr i32, ptr %sums, i64 %long
  %sum = load i32, ptr %place, align 4
  store i32 %sum, ptr addrspace(1) %from, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{}

; ==== after ====
; loops: 1

@start = private constant [2 x i32] [i32 3, i32 5]

define void @k(ptr addrspace(1) %a) {
entry:
  %lanes.private = alloca [48 x i8], align 16
  %lanes.private2 = alloca [64 x i8], align 16
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %19, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load i32, ptr addrspace(1) %a, align 4
  %3 = sext i32 %2 to i64
  %4 = load <4 x i32>, ptr addrspace(1) %1, align 4
  store <4 x i32> splat (i32 16843009), ptr %lanes.private, align 1
  %5 = getelementptr [4 x i8], ptr %lanes.private, i64 4
  store <4 x i32> splat (i32 16843009), ptr %5, align 1
  %6 = getelementptr [4 x i8], ptr %lanes.private, i64 8
  store <4 x i32> splat (i32 16843009), ptr %6, align 1
  %7 = getelementptr [4 x i8], ptr %lanes.private2, i64 8
  store <4 x i32> zeroinitializer, ptr %lanes.private2, align 1
  %8 = getelementptr [4 x i8], ptr %lanes.private2, i64 4
  store <4 x i32> zeroinitializer, ptr %8, align 1
  store <4 x i32> splat (i32 3), ptr %7, align 1
  %9 = getelementptr [4 x i8], ptr %7, i64 4
  store <4 x i32> splat (i32 5), ptr %9, align 1
  %10 = mul i64 %3, 4
  %11 = getelementptr [4 x i8], ptr %lanes.private2, i64 %10
  store <4 x i32> %4, ptr %11, align 4
  %12 = load <4 x i32>, ptr %lanes.private2, align 1
  store <4 x i32> %12, ptr %lanes.private, align 1
  %13 = getelementptr [4 x i8], ptr %lanes.private2, i64 4
  %14 = load <4 x i32>, ptr %13, align 1
  %15 = getelementptr [4 x i8], ptr %lanes.private, i64 4
  store <4 x i32> %14, ptr %15, align 1
  %16 = mul i64 %3, 4
  %17 = getelementptr [4 x i8], ptr %lanes.private, i64 %16
  %18 = load <4 x i32>, ptr %17, align 4
  store <4 x i32> %18, ptr addrspace(1) %1, align 4
  %19 = add nuw nsw i32 %x1, 4
  %20 = icmp ult i32 %19, 8
  br i1 %20, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
