; `if (i < n) b[i] = a[3 * i]`: where all lanes are active, which the last group's may not be, whole
; vectors are loaded.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %region0.end ]
  %guard = icmp slt i32 %i, %n
  br i1 %guard, label %then, label %region0.end

then:
  %number = zext nneg i32 %i to i64
  %scaled = mul nuw nsw i64 %number, 3
  %a.at = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %scaled
  %value = load i8, ptr addrspace(1) %a.at, align 1
  %b.at = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %number
  store i8 %value, ptr addrspace(1) %b.at, align 1
  br label %region0.end

region0.end:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %dummy = alloca i8, align 1
  br label %lanes.x

lanes.x:                                          ; preds = %accessed, %entry
  %x = phi i32 [ 0, %entry ], [ %42, %accessed ]
  %0 = insertelement <4 x i32> poison, i32 %x, i64 0
  %1 = shufflevector <4 x i32> %0, <4 x i32> poison, <4 x i32> zeroinitializer
  %2 = add <4 x i32> %1, <i32 0, i32 1, i32 2, i32 3>
  %3 = insertelement <4 x i32> poison, i32 %n, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = icmp slt <4 x i32> %2, %4
  %6 = zext i32 %x to i64
  %7 = mul i64 %6, 3
  %8 = getelementptr i8, ptr addrspace(1) %a, i64 %7
  %9 = insertelement <4 x ptr addrspace(1)> poison, ptr addrspace(1) %8, i64 0
  %10 = shufflevector <4 x ptr addrspace(1)> %9, <4 x ptr addrspace(1)> poison, <4 x i32> zeroinitializer
  %11 = getelementptr i8, <4 x ptr addrspace(1)> %10, <4 x i64> <i64 0, i64 3, i64 6, i64 9>
  %12 = bitcast <4 x i1> %5 to i4
  %13 = icmp eq i4 %12, -1
  br i1 %13, label %whole, label %partial

whole:                                            ; preds = %lanes.x
  %14 = load <4 x i8>, ptr addrspace(1) %8, align 1
  %15 = getelementptr i8, ptr addrspace(1) %8, i64 4
  %16 = load <4 x i8>, ptr addrspace(1) %15, align 1
  %17 = getelementptr i8, ptr addrspace(1) %8, i64 6
  %18 = load <4 x i8>, ptr addrspace(1) %17, align 1
  %19 = shufflevector <4 x i8> %14, <4 x i8> %16, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %20 = shufflevector <4 x i8> %18, <4 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %21 = shufflevector <8 x i8> %19, <8 x i8> %20, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %22 = shufflevector <16 x i8> %21, <16 x i8> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
  %23 = shufflevector <12 x i8> %22, <12 x i8> poison, <4 x i32> <i32 0, i32 3, i32 6, i32 11>
  br label %accessed

partial:                                          ; preds = %lanes.x
  %24 = addrspacecast ptr %dummy to ptr addrspace(1)
  %25 = insertelement <4 x ptr addrspace(1)> poison, ptr addrspace(1) %24, i64 0
  %26 = shufflevector <4 x ptr addrspace(1)> %25, <4 x ptr addrspace(1)> poison, <4 x i32> zeroinitializer
  %27 = select <4 x i1> %5, <4 x ptr addrspace(1)> %11, <4 x ptr addrspace(1)> %26
  %28 = extractelement <4 x ptr addrspace(1)> %27, i64 0
  %29 = extractelement <4 x ptr addrspace(1)> %27, i64 1
  %30 = extractelement <4 x ptr addrspace(1)> %27, i64 2
  %31 = extractelement <4 x ptr addrspace(1)> %27, i64 3
  %32 = load i8, ptr addrspace(1) %28, align 1
  %33 = load i8, ptr addrspace(1) %29, align 1
  %34 = load i8, ptr addrspace(1) %30, align 1
  %35 = load i8, ptr addrspace(1) %31, align 1
  %36 = insertelement <4 x i8> poison, i8 %32, i64 0
  %37 = insertelement <4 x i8> %36, i8 %33, i64 1
  %38 = insertelement <4 x i8> %37, i8 %34, i64 2
  %39 = insertelement <4 x i8> %38, i8 %35, i64 3
  br label %accessed

accessed:                                         ; preds = %partial, %whole
  %40 = phi <4 x i8> [ %23, %whole ], [ %39, %partial ]
  %41 = getelementptr i8, ptr addrspace(1) %b, i64 %6
  call void @llvm.masked.store.v4i8.p1(<4 x i8> %40, ptr addrspace(1) align 1 %41, <4 x i1> %5)
  %42 = add nuw nsw i32 %x, 4
  %43 = icmp ult i32 %42, 16
  br i1 %43, label %lanes.x, label %done

done:                                             ; preds = %accessed
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i8.p1(<4 x i8>, ptr addrspace(1) captures(none), <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
