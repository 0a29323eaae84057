; Lanes add the elements of a window around each that the ends of a row cut off.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %radius, i32 %width) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %whole.first = sub nsw i32 %i, %radius
  %first = call i32 @llvm.smax.i32(i32 %whole.first, i32 0)
  %whole.last = add nsw i32 %i, %radius
  %end = add nsw i32 %width, -1
  %last = call i32 @llvm.smin.i32(i32 %whole.last, i32 %end)
  %is.empty = icmp sgt i32 %first, %last
  br i1 %is.empty, label %next, label %preheader

preheader:
  br label %window

window:
  %j = phi i32 [ %first, %preheader ], [ %j.next, %window ]
  %sum = phi float [ 0.0, %preheader ], [ %sum.next, %window ]
  %j.wide = sext i32 %j to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j.wide
  %element = load float, ptr addrspace(1) %x.at, align 4
  %sum.next = fadd float %sum, %element
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j, %last
  br i1 %more, label %window, label %exit

exit:
  %sum.last = phi float [ %sum.next, %window ]
  br label %next

next:
  %result = phi float [ 0.0, %region0.work_item ], [ %sum.last, %exit ]
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i32 %i
  store float %result, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more.items = icmp ult i32 %i.next, 16
  br i1 %more.items, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

!0 = !{i64 16, null}

; ==== after ====
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %radius, i32 %width) {
entry:
  br label %region0.work_item

region0.work_item:                                ; preds = %next, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %whole.first = sub nsw i32 %i, %radius
  %first = call i32 @llvm.smax.i32(i32 %whole.first, i32 0)
  %whole.last = add nsw i32 %i, %radius
  %end = add nsw i32 %width, -1
  %last = call i32 @llvm.smin.i32(i32 %whole.last, i32 %end)
  %is.empty = icmp sgt i32 %first, %last
  br i1 %is.empty, label %next, label %preheader

preheader:                                        ; preds = %region0.work_item
  %0 = sub i32 %first, %whole.first
  %1 = sub i32 %last, 0
  %2 = sub i32 %1, %whole.first
  %3 = sub i32 %whole.last, 0
  %4 = sub i32 %3, %whole.first
  %5 = zext i32 %4 to i64
  %6 = zext i32 %i to i64
  %7 = mul i64 %6, 1
  %8 = sext i32 %whole.first to i64
  %9 = sub i64 %8, %7
  %10 = add i64 %9, 15
  %11 = icmp sge i64 %9, -2147483648
  %12 = icmp sle i64 %10, 2147483647
  %13 = and i1 %11, %12
  %14 = sub i64 0, %10
  %15 = icmp sgt i64 %14, 0
  %16 = select i1 %15, i64 %14, i64 0
  %17 = select i1 %13, i64 %16, i64 0
  %18 = sext i32 %end to i64
  %19 = sub i64 %18, 0
  %20 = sub i64 %19, %9
  %21 = icmp slt i64 %20, %5
  %22 = select i1 %21, i64 %20, i64 %5
  %23 = select i1 %13, i64 %22, i64 %5
  br label %window1

window1:                                          ; preds = %window.next, %preheader
  %24 = phi i64 [ %17, %preheader ], [ %32, %window.next ]
  %25 = phi float [ 0.000000e+00, %preheader ], [ %31, %window.next ]
  %26 = trunc i64 %24 to i32
  %27 = icmp uge i32 %26, %0
  %28 = icmp ule i32 %26, %2
  %29 = and i1 %27, %28
  br i1 %29, label %window, label %window.next

window:                                           ; preds = %window1
  %30 = add i32 %whole.first, %26
  %j.wide = sext i32 %30 to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j.wide
  %element = load float, ptr addrspace(1) %x.at, align 4
  %sum.next = fadd float %25, %element
  %j.next = add nuw nsw i32 %30, 1
  %more = icmp slt i32 %30, %last
  br label %window.next

window.next:                                      ; preds = %window, %window1
  %31 = phi float [ %25, %window1 ], [ %sum.next, %window ]
  %32 = add i64 %24, 1
  %33 = icmp sle i64 %32, %23
  br i1 %33, label %window1, label %exit

exit:                                             ; preds = %window.next
  %34 = phi float [ %31, %window.next ]
  br label %next

next:                                             ; preds = %exit, %region0.work_item
  %result = phi float [ 0.000000e+00, %region0.work_item ], [ %34, %exit ]
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i32 %i
  store float %result, ptr addrspace(1) %y.at, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more.items = icmp ult i32 %i.next, 16
  br i1 %more.items, label %region0.work_item, label %done, !mocl3.work_items !0

done:                                             ; preds = %next
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{i64 16, null}
