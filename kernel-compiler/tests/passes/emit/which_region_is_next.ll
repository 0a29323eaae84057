; Where a region has several exits, the last work-item selects the next region.
; local size: 16,1,1
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  ret void
right:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; regions: 3, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

declare void @__mocl3_barrier()

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %0, i64 0
  %3 = load ptr addrspace(1), ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load i1, ptr %4, align 1, !invariant.load !0
  %next = alloca i32, align 4
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.work_item

region1:                                          ; preds = %region0.done
  br label %region1.z

region2:                                          ; preds = %region0.done
  br label %region2.z

region0.work_item:                                ; preds = %region0
  br label %entry1

region0.done:                                     ; preds = %region0.end
  %6 = load i32, ptr %next, align 4
  switch i32 %6, label %region1 [
    i32 1, label %region2
  ]

entry1:                                           ; preds = %region0.work_item
  br i1 %5, label %left, label %right

left:                                             ; preds = %entry1
  br label %exit

right:                                            ; preds = %entry1
  br label %exit2

exit:                                             ; preds = %left
  store i32 0, ptr %next, align 4
  br label %region0.end

exit2:                                            ; preds = %right
  store i32 1, ptr %next, align 4
  br label %region0.end

region0.end:                                      ; preds = %exit2, %exit
  br label %region0.done

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z = phi i32 [ 0, %region1 ], [ %11, %region1.z_latch ]
  br label %region1.y

region1.y:                                        ; preds = %region1.y_latch, %region1.z
  %y = phi i32 [ 0, %region1.z ], [ %9, %region1.y_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.y
  %x = phi i32 [ 0, %region1.y ], [ %7, %region1.end ]
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return

after:                                            ; preds = %region1.work_item
  store i32 1, ptr addrspace(1) %3, align 4, !llvm.access.group !1
  br label %exit3

exit3:                                            ; preds = %after
  br label %region1.end

region1.end:                                      ; preds = %exit3
  %7 = add nuw nsw i32 %x, 1
  %8 = icmp ult i32 %7, 16
  br i1 %8, label %region1.work_item, label %region1.y_latch, !llvm.loop !2

region1.y_latch:                                  ; preds = %region1.end
  %9 = add nuw nsw i32 %y, 1
  %10 = icmp ult i32 %9, 1
  br i1 %10, label %region1.y, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.y_latch
  %11 = add nuw nsw i32 %z, 1
  %12 = icmp ult i32 %11, 1
  br i1 %12, label %region1.z, label %region1.done

return:                                           ; preds = %region1.done
  ret void

region2.z:                                        ; preds = %region2.z_latch, %region2
  %z4 = phi i32 [ 0, %region2 ], [ %17, %region2.z_latch ]
  br label %region2.y

region2.y:                                        ; preds = %region2.y_latch, %region2.z
  %y5 = phi i32 [ 0, %region2.z ], [ %15, %region2.y_latch ]
  br label %region2.work_item

region2.work_item:                                ; preds = %region2.end, %region2.y
  %x6 = phi i32 [ 0, %region2.y ], [ %13, %region2.end ]
  br label %after1

region2.done:                                     ; preds = %region2.z_latch
  br label %return8

after1:                                           ; preds = %region2.work_item
  store i32 2, ptr addrspace(1) %3, align 4, !llvm.access.group !4
  br label %exit7

exit7:                                            ; preds = %after1
  br label %region2.end

region2.end:                                      ; preds = %exit7
  %13 = add nuw nsw i32 %x6, 1
  %14 = icmp ult i32 %13, 16
  br i1 %14, label %region2.work_item, label %region2.y_latch, !llvm.loop !5

region2.y_latch:                                  ; preds = %region2.end
  %15 = add nuw nsw i32 %y5, 1
  %16 = icmp ult i32 %15, 1
  br i1 %16, label %region2.y, label %region2.z_latch

region2.z_latch:                                  ; preds = %region2.y_latch
  %17 = add nuw nsw i32 %z4, 1
  %18 = icmp ult i32 %17, 1
  br i1 %18, label %region2.z, label %region2.done

return8:                                          ; preds = %region2.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
!4 = distinct !{}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.parallel_accesses", !4}
