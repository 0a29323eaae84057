; `if (i < n) b[n - 1 - i] = a[i]`, where LLVM writes `n - 1 - i` as `~i + n`: the lanes store one
; whole vector, reversed.
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
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %number
  %value = load float, ptr addrspace(1) %a.at, align 4
  %complement = xor i32 %i, -1
  %mirrored = add i32 %complement, %n
  %mirrored.wide = sext i32 %mirrored to i64
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %mirrored.wide
  store float %value, ptr addrspace(1) %b.at, align 4
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
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %16, %lanes.x ]
  %0 = insertelement <4 x i32> poison, i32 %x, i64 0
  %1 = shufflevector <4 x i32> %0, <4 x i32> poison, <4 x i32> zeroinitializer
  %2 = add <4 x i32> %1, <i32 0, i32 1, i32 2, i32 3>
  %3 = insertelement <4 x i32> poison, i32 %n, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = icmp slt <4 x i32> %2, %4
  %6 = zext i32 %x to i64
  %7 = getelementptr float, ptr addrspace(1) %a, i64 %6
  %8 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %7, <4 x i1> %5, <4 x float> poison)
  %9 = xor i32 %x, -1
  %10 = add i32 %9, %n
  %11 = sext i32 %10 to i64
  %12 = getelementptr float, ptr addrspace(1) %b, i64 %11
  %13 = getelementptr i8, ptr addrspace(1) %12, i64 -12
  %14 = shufflevector <4 x float> %8, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %15 = shufflevector <4 x i1> %5, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  call void @llvm.masked.store.v4f32.p1(<4 x float> %14, ptr addrspace(1) align 4 %13, <4 x i1> %15)
  %16 = add nuw nsw i32 %x, 4
  %17 = icmp ult i32 %16, 16
  br i1 %17, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) captures(none), <4 x i1>, <4 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
