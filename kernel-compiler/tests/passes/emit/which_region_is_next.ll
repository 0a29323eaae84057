; Where a region can be left in several ways, the last work-item says which is next.
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
; regions: 3, uniform loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group, 0 on the stack
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
  br label %region0.z

region1:                                          ; preds = %region0.done
  br label %region1.z

region2:                                          ; preds = %region0.done
  br label %region2.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %11, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %9, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %7, %region0.end ]
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
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
  %7 = add nuw nsw i32 %x, 1
  %8 = icmp ult i32 %7, 16
  br i1 %8, label %region0.work_item, label %region0.y_latch, !llvm.loop !1

region0.y_latch:                                  ; preds = %region0.end
  %9 = add nuw nsw i32 %y, 1
  %10 = icmp ult i32 %9, 1
  br i1 %10, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %11 = add nuw nsw i32 %z, 1
  %12 = icmp ult i32 %11, 1
  br i1 %12, label %region0.z, label %region0.done

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z3 = phi i32 [ 0, %region1 ], [ %17, %region1.z_latch ]
  br label %region1.y

region1.y:                                        ; preds = %region1.y_latch, %region1.z
  %y4 = phi i32 [ 0, %region1.z ], [ %15, %region1.y_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.y
  %x5 = phi i32 [ 0, %region1.y ], [ %13, %region1.end ]
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return

after:                                            ; preds = %region1.work_item
  store i32 1, ptr addrspace(1) %3, align 4, !llvm.access.group !4
  br label %exit6

exit6:                                            ; preds = %after
  br label %region1.end

region1.end:                                      ; preds = %exit6
  %13 = add nuw nsw i32 %x5, 1
  %14 = icmp ult i32 %13, 16
  br i1 %14, label %region1.work_item, label %region1.y_latch, !llvm.loop !5

region1.y_latch:                                  ; preds = %region1.end
  %15 = add nuw nsw i32 %y4, 1
  %16 = icmp ult i32 %15, 1
  br i1 %16, label %region1.y, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.y_latch
  %17 = add nuw nsw i32 %z3, 1
  %18 = icmp ult i32 %17, 1
  br i1 %18, label %region1.z, label %region1.done

return:                                           ; preds = %region1.done
  ret void

region2.z:                                        ; preds = %region2.z_latch, %region2
  %z7 = phi i32 [ 0, %region2 ], [ %23, %region2.z_latch ]
  br label %region2.y

region2.y:                                        ; preds = %region2.y_latch, %region2.z
  %y8 = phi i32 [ 0, %region2.z ], [ %21, %region2.y_latch ]
  br label %region2.work_item

region2.work_item:                                ; preds = %region2.end, %region2.y
  %x9 = phi i32 [ 0, %region2.y ], [ %19, %region2.end ]
  br label %after1

region2.done:                                     ; preds = %region2.z_latch
  br label %return11

after1:                                           ; preds = %region2.work_item
  store i32 2, ptr addrspace(1) %3, align 4, !llvm.access.group !7
  br label %exit10

exit10:                                           ; preds = %after1
  br label %region2.end

region2.end:                                      ; preds = %exit10
  %19 = add nuw nsw i32 %x9, 1
  %20 = icmp ult i32 %19, 16
  br i1 %20, label %region2.work_item, label %region2.y_latch, !llvm.loop !8

region2.y_latch:                                  ; preds = %region2.end
  %21 = add nuw nsw i32 %y8, 1
  %22 = icmp ult i32 %21, 1
  br i1 %22, label %region2.y, label %region2.z_latch

region2.z_latch:                                  ; preds = %region2.y_latch
  %23 = add nuw nsw i32 %z7, 1
  %24 = icmp ult i32 %23, 1
  br i1 %24, label %region2.z, label %region2.done

return11:                                         ; preds = %region2.done
  ret void
}

attributes #0 = { nounwind }

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !3}
!3 = distinct !{}
!4 = distinct !{}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.parallel_accesses", !4}
!7 = distinct !{}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.parallel_accesses", !7}
