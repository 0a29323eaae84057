; What `zext nneg` promises holds for active lanes only: lane 0's value is sign-extended.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %before = sub nsw i32 %x, 3
  %to = getelementptr i32, ptr addrspace(1) %b, i64 %wide
  %has = load i32, ptr addrspace(1) %to, align 4
  %some = icmp ne i32 %has, 0
  br i1 %some, label %take, label %end

take:
  %long = zext nneg i32 %before to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %long
  %value = load i32, ptr addrspace(1) %from, align 4
  store i32 %value, ptr addrspace(1) %to, align 4
  br label %end

end:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
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
  %x1 = phi i32 [ 0, %entry ], [ %8, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = sub nsw i32 %x1, 3
  %2 = getelementptr i32, ptr addrspace(1) %b, i64 %0
  %3 = load <4 x i32>, ptr addrspace(1) %2, align 4
  %4 = icmp ne <4 x i32> %3, zeroinitializer
  %5 = sext i32 %1 to i64
  %6 = getelementptr i32, ptr addrspace(1) %a, i64 %5
  %7 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %6, <4 x i1> %4, <4 x i32> poison)
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %7, ptr addrspace(1) align 4 %2, <4 x i1> %4)
  %8 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) captures(none), <4 x i1>, <4 x i32>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
