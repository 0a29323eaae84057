; Lanes that increment one counter issue one atomic, which adds the number of active lanes. The
; builtin's pointer is volatile; that does not matter.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %at) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %value = load i32, ptr addrspace(1) %place, align 4
  %odd = icmp slt i32 %value, 0
  br i1 %odd, label %then, label %end

then:
  %old = atomicrmw volatile add ptr addrspace(1) %at, i32 1 monotonic, align 4
  br label %end

end:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %at) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %11, %entry
  %x1 = phi i32 [ 0, %entry ], [ %12, %11 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = icmp slt <4 x i32> %2, zeroinitializer
  %4 = bitcast <4 x i1> %3 to i4
  %5 = icmp ne i4 %4, 0
  br i1 %5, label %6, label %11

6:                                                ; preds = %lanes.x
  %7 = bitcast <4 x i1> %3 to i4
  %8 = zext i4 %7 to i32
  %9 = call i32 @llvm.ctpop.i32(i32 %8)
  %10 = atomicrmw volatile add ptr addrspace(1) %at, i32 %9 monotonic, align 4
  br label %11

11:                                               ; preds = %lanes.x, %6
  %12 = add nuw nsw i32 %x1, 4
  %13 = icmp ult i32 %12, 8
  br i1 %13, label %lanes.x, label %done

done:                                             ; preds = %11
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
