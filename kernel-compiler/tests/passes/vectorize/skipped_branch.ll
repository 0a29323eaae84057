; A branch without active lanes is skipped; an atomic exchange in it is scalarised.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %count) {
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
  %old = atomicrmw xchg ptr addrspace(1) %count, i32 %value monotonic, align 4
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

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %count) {
entry:
  %lanes2 = alloca <4 x i32>, align 16
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.after, %entry
  %x1 = phi i32 [ 0, %entry ], [ %9, %lanes.after ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = icmp slt <4 x i32> %2, zeroinitializer
  %4 = bitcast <4 x i1> %3 to i4
  %5 = icmp ne i4 %4, 0
  br i1 %5, label %6, label %lanes.after

6:                                                ; preds = %lanes.x
  store <4 x i32> %2, ptr %lanes2, align 16
  %7 = bitcast <4 x i1> %3 to i4
  %8 = zext i4 %7 to i32
  br label %lane

lanes.after:                                      ; preds = %lane, %lanes.x
  %9 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

lane:                                             ; preds = %lane, %6
  %left = phi i32 [ %8, %6 ], [ %19, %lane ]
  %10 = phi <4 x i32> [ poison, %6 ], [ %17, %lane ]
  %11 = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %12 = zext i32 %11 to i64
  %13 = mul i64 %12, 4
  %14 = getelementptr i8, ptr %lanes2, i64 %13
  %15 = load i32, ptr %14, align 4
  %16 = atomicrmw xchg ptr addrspace(1) %count, i32 %15 monotonic, align 4
  %17 = insertelement <4 x i32> %10, i32 %16, i64 %12
  %18 = sub i32 %left, 1
  %19 = and i32 %left, %18
  %20 = icmp ne i32 %19, 0
  br i1 %20, label %lane, label %lanes.after

done:                                             ; preds = %lanes.after
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #0

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
