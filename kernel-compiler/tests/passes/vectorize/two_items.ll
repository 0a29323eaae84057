; LLVM may rewrite the exit condition: the trip count comes from the descriptor.
define void @k(ptr addrspace(1) %a) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 7, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %x, 1
  %first = icmp eq i32 %x, 0
  br i1 %first, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 2, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a) {
entry:
  call void @llvm.masked.store.v4i32.p1(<4 x i32> splat (i32 7), ptr addrspace(1) align 4 %a, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
