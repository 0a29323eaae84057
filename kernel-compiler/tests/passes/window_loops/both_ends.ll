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
  %6 = mul i32 %i, 1
  %7 = sub i32 %whole.first, %6
  %8 = sext i32 %7 to i64
  %9 = add i64 %8, 15
  %10 = icmp sle i64 %9, 2147483647
  %11 = sub i64 0, %9
  %12 = icmp sgt i64 %11, 0
  %13 = select i1 %12, i64 %11, i64 0
  %14 = select i1 %10, i64 %13, i64 0
  %15 = sext i32 %end to i64
  %16 = sub i64 %15, 0
  %17 = sub i64 %16, %8
  %18 = icmp slt i64 %17, %5
  %19 = select i1 %18, i64 %17, i64 %5
  %20 = select i1 %10, i64 %19, i64 %5
  br label %window1

window1:                                          ; preds = %window.next, %preheader
  %21 = phi i64 [ %14, %preheader ], [ %30, %window.next ]
  %22 = phi float [ 0.000000e+00, %preheader ], [ %29, %window.next ]
  %23 = trunc i64 %21 to i32
  %24 = icmp uge i32 %23, %0
  %25 = icmp ule i32 %23, %2
  %26 = and i1 %24, %25
  br i1 %26, label %window, label %window.next

window:                                           ; preds = %window1
  %27 = trunc i64 %21 to i32
  %28 = add i32 %whole.first, %27
  %j.wide = sext i32 %28 to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j.wide
  %element = load float, ptr addrspace(1) %x.at, align 4
  %sum.next = fadd float %22, %element
  %j.next = add nuw nsw i32 %28, 1
  %more = icmp slt i32 %28, %last
  br label %window.next

window.next:                                      ; preds = %window, %window1
  %29 = phi float [ %22, %window1 ], [ %sum.next, %window ]
  %30 = add i64 %21, 1
  %31 = icmp sle i64 %30, %20
  br i1 %31, label %window1, label %exit

exit:                                             ; preds = %window.next
  %32 = phi float [ %29, %window.next ]
  br label %next

next:                                             ; preds = %exit, %region0.work_item
  %result = phi float [ 0.000000e+00, %region0.work_item ], [ %32, %exit ]
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
