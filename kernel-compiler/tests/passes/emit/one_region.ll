; A complete work-group function: loads index space and arguments once, then loops over z, y and x of the work-items. Accesses of different work-items are marked as independent.
; local size: 16,1,1
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, float %factor) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  %x = load float, ptr addrspace(1) %place
  %y = fmul float %x, %factor
  store float %y, ptr addrspace(1) %place
  ret void
}

; ==== after ====
; regions: 1, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

declare i64 @__mocl3_global_id(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 8
  %3 = load i64, ptr %2, align 8, !range !0, !invariant.load !1
  %4 = getelementptr inbounds i8, ptr %1, i64 104
  %5 = load i64, ptr %4, align 8, !range !0, !invariant.load !1
  %6 = trunc i64 %5 to i32
  %7 = mul nuw nsw i32 %6, 16
  %8 = trunc i64 %3 to i32
  %9 = add nuw nsw i32 %7, %8
  %10 = getelementptr inbounds i8, ptr %0, i64 0
  %11 = load ptr addrspace(1), ptr %10, align 8, !invariant.load !1
  %12 = getelementptr inbounds i8, ptr %0, i64 8
  %13 = load float, ptr %12, align 4, !invariant.load !1
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %20, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %18, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %16, %region0.end ]
  %14 = add nuw nsw i32 %9, %x
  %15 = zext nneg i32 %14 to i64
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr float, ptr addrspace(1) %11, i64 %15
  %x2 = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !2
  %y3 = fmul float %x2, %13
  store float %y3, ptr addrspace(1) %place, align 4, !llvm.access.group !2
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %16 = add nuw nsw i32 %x, 1
  %17 = icmp ult i32 %16, 16
  br i1 %17, label %region0.work_item, label %region0.y_latch, !llvm.loop !3

region0.y_latch:                                  ; preds = %region0.end
  %18 = add nuw nsw i32 %y, 1
  %19 = icmp ult i32 %18, 1
  br i1 %19, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %20 = add nuw nsw i32 %z, 1
  %21 = icmp ult i32 %20, 1
  br i1 %21, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{i64 0, i64 1073741825}
!1 = !{}
!2 = distinct !{}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.parallel_accesses", !2}
