; The limit is extended without sign and may be negative, as the start may be: the loop is no window then.
; lanes: 4
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %radius, i32 %width) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %whole.first = sub nsw i32 %i, %radius
  %first = call i32 @llvm.smax.i32(i32 %whole.first, i32 -9)
  %whole.last = add nsw i32 %i, %radius
  %end = add nsw i32 %width, -1
  %last = call i32 @llvm.smin.i32(i32 %whole.last, i32 %end)
  %is.empty = icmp sgt i32 %first, %last
  br i1 %is.empty, label %next, label %preheader

preheader:
  %first.wide = sext i32 %first to i64
  %last.wide = zext i32 %last to i64
  br label %window

window:
  %j = phi i64 [ %first.wide, %preheader ], [ %j.next, %window ]
  %sum = phi float [ 0.0, %preheader ], [ %sum.next, %window ]
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %element = load float, ptr addrspace(1) %x.at, align 4
  %sum.next = fadd float %sum, %element
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j, %last.wide
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
  %first = call i32 @llvm.smax.i32(i32 %whole.first, i32 -9)
  %whole.last = add nsw i32 %i, %radius
  %end = add nsw i32 %width, -1
  %last = call i32 @llvm.smin.i32(i32 %whole.last, i32 %end)
  %is.empty = icmp sgt i32 %first, %last
  br i1 %is.empty, label %next, label %preheader

preheader:                                        ; preds = %region0.work_item
  %first.wide = sext i32 %first to i64
  %last.wide = zext i32 %last to i64
  br label %window

window:                                           ; preds = %window, %preheader
  %j = phi i64 [ %first.wide, %preheader ], [ %j.next, %window ]
  %sum = phi float [ 0.000000e+00, %preheader ], [ %sum.next, %window ]
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %element = load float, ptr addrspace(1) %x.at, align 4
  %sum.next = fadd float %sum, %element
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j, %last.wide
  br i1 %more, label %window, label %exit

exit:                                             ; preds = %window
  %sum.last = phi float [ %sum.next, %window ]
  br label %next

next:                                             ; preds = %exit, %region0.work_item
  %result = phi float [ 0.000000e+00, %region0.work_item ], [ %sum.last, %exit ]
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
