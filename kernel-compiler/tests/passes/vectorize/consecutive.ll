; Consecutive accesses become vector accesses; the last vector of a row is masked.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %from = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %value = load float, ptr addrspace(1) %from, align 4
  %sum = fadd float %value, 1.0
  %to = getelementptr float, ptr addrspace(1) %b, i64 %wide
  store float %sum, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 6
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %5, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr float, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x float>, ptr addrspace(1) %1, align 4
  %3 = fadd <4 x float> %2, splat (float 1.000000e+00)
  %4 = getelementptr float, ptr addrspace(1) %b, i64 %0
  store <4 x float> %3, ptr addrspace(1) %4, align 4
  %5 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %lanes.done

lanes.done:                                       ; preds = %lanes.x
  %6 = getelementptr float, ptr addrspace(1) %a, i64 4
  %7 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %6, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  %8 = fadd <4 x float> %7, splat (float 1.000000e+00)
  %9 = getelementptr float, ptr addrspace(1) %b, i64 4
  call void @llvm.masked.store.v4f32.p1(<4 x float> %8, ptr addrspace(1) align 4 %9, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) captures(none), <4 x i1>, <4 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
