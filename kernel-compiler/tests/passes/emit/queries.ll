; Each query of the index space becomes the value loaded for it.
; local size: 16,1,1
declare i32 @__mocl3_work_dim()
declare i64 @__mocl3_group_id(i32)
declare i64 @__mocl3_local_size(i32)
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %d = call i32 @__mocl3_work_dim()
  %g = call i64 @__mocl3_group_id(i32 1)
  %s = call i64 @__mocl3_local_size(i32 2)
  %l = call i64 @__mocl3_local_id(i32 2)
  %w = zext i32 %d to i64
  %a = add i64 %w, %g
  %b = add i64 %s, %l
  %c = add i64 %a, %b
  store i64 %c, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; regions: 1, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

declare i32 @__mocl3_work_dim()

declare i64 @__mocl3_group_id(i32)

declare i64 @__mocl3_local_size(i32)

declare i64 @__mocl3_local_id(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 0
  %3 = load i64, ptr %2, align 8, !range !0, !invariant.load !1
  %4 = trunc i64 %3 to i32
  %5 = getelementptr inbounds i8, ptr %1, i64 112
  %6 = load i64, ptr %5, align 8, !range !2, !invariant.load !1
  %7 = getelementptr inbounds i8, ptr %0, i64 0
  %8 = load ptr addrspace(1), ptr %7, align 8, !invariant.load !1
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %14, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %12, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %10, %region0.end ]
  %9 = zext nneg i32 %z to i64
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %w = zext i32 %4 to i64
  %a = add i64 %w, %6
  %b = add i64 1, %9
  %c = add i64 %a, %b
  store i64 %c, ptr addrspace(1) %8, align 4, !llvm.access.group !3
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %10 = add nuw nsw i32 %x, 1
  %11 = icmp ult i32 %10, 16
  br i1 %11, label %region0.work_item, label %region0.y_latch, !llvm.loop !4

region0.y_latch:                                  ; preds = %region0.end
  %12 = add nuw nsw i32 %y, 1
  %13 = icmp ult i32 %12, 1
  br i1 %13, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %14 = add nuw nsw i32 %z, 1
  %15 = icmp ult i32 %14, 1
  br i1 %15, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{i64 1, i64 4}
!1 = !{}
!2 = !{i64 0, i64 1073741825}
!3 = distinct !{}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.parallel_accesses", !3}
