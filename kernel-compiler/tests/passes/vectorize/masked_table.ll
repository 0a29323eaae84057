; Active lanes gather elements of a table by unsigned numbers, which another block loads; the instruction takes them as signed.
; lanes: 4
define void @k(ptr addrspace(1) %table, ptr addrspace(1) %numbers, ptr addrspace(1) %y) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %number.at = getelementptr inbounds i32, ptr addrspace(1) %numbers, i32 %i
  %number = load i32, ptr addrspace(1) %number.at, align 4
  %index = zext i32 %number to i64
  %is.small = icmp ult i32 %number, 100
  br i1 %is.small, label %small, label %next

small:
  %at = getelementptr double, ptr addrspace(1) %table, i64 %index
  %value = load double, ptr addrspace(1) %at, align 8
  %y.at = getelementptr inbounds double, ptr addrspace(1) %y, i32 %i
  store double %value, ptr addrspace(1) %y.at, align 8
  br label %next

next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %table, ptr addrspace(1) %numbers, ptr addrspace(1) %y) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x = phi i32 [ 0, %entry ], [ %10, %lanes.x ]
  %0 = getelementptr inbounds i32, ptr addrspace(1) %numbers, i32 %x
  %1 = load <4 x i32>, ptr addrspace(1) %0, align 4
  %2 = icmp ult <4 x i32> %1, splat (i32 100)
  %3 = xor <4 x i32> %1, splat (i32 -2147483648)
  %4 = getelementptr i8, ptr addrspace(1) %table, i64 17179869184
  %5 = addrspacecast ptr addrspace(1) %4 to ptr
  %6 = sext <4 x i1> %2 to <4 x i64>
  %7 = bitcast <4 x i64> %6 to <4 x double>
  %8 = call <4 x double> @llvm.x86.avx2.gather.d.pd.256(<4 x double> zeroinitializer, ptr %5, <4 x i32> %3, <4 x double> %7, i8 8)
  %9 = getelementptr double, ptr addrspace(1) %y, i32 %x
  call void @llvm.masked.store.v4f64.p1(<4 x double> %8, ptr addrspace(1) align 8 %9, <4 x i1> %2)
  %10 = add nuw nsw i32 %x, 4
  %11 = icmp ult i32 %10, 16
  br i1 %11, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <4 x double> @llvm.x86.avx2.gather.d.pd.256(<4 x double>, ptr, <4 x i32>, <4 x double>, i8 immarg) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4f64.p1(<4 x double>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
