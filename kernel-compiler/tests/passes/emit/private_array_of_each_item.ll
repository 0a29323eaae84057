; A private array that crosses a barrier is in the group's private memory, indexed by work-item.
; local size: 16,1,1
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
entry:
  %array = alloca [9 x i32]
  %place = getelementptr i32, ptr %array, i32 %i
  store i32 1, ptr %place
  call void @__mocl3_barrier()
  %v = load i32, ptr %array
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; regions: 2, interchanged loops: 0
; local memory: 0 bytes
; private memory: 36 bytes of each item, 4572 of the group; needed: 36 kept, 0 transient
; loops over items are innermost: true

declare void @__mocl3_barrier()

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 136
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 0
  %5 = load ptr addrspace(1), ptr %4, align 8, !invariant.load !0
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 4, !invariant.load !0
  %8 = getelementptr inbounds i8, ptr %3, i64 0
  %9 = getelementptr inbounds i8, ptr %8, i64 0
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region1:                                          ; preds = %region0.done
  br label %region1.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %23, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %21, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %19, %region0.end ]
  %10 = zext nneg i32 %x to i64
  %11 = zext nneg i32 %y to i64
  %12 = zext nneg i32 %z to i64
  %13 = mul nuw nsw i64 %12, 1
  %14 = add nuw nsw i64 %13, %11
  %15 = mul nuw nsw i64 %14, 16
  %16 = add nuw nsw i64 %15, %10
  %17 = mul nuw nsw i64 %16, 36
  %18 = getelementptr inbounds i8, ptr %9, i64 %17
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %region1

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr i32, ptr %18, i32 %7
  store i32 1, ptr %place, align 4, !llvm.access.group !1
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %19 = add nuw nsw i32 %x, 1
  %20 = icmp ult i32 %19, 16
  br i1 %20, label %region0.work_item, label %region0.y_latch, !llvm.loop !2

region0.y_latch:                                  ; preds = %region0.end
  %21 = add nuw nsw i32 %y, 1
  %22 = icmp ult i32 %21, 1
  br i1 %22, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %23 = add nuw nsw i32 %z, 1
  %24 = icmp ult i32 %23, 1
  br i1 %24, label %region0.z, label %region0.done

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z2 = phi i32 [ 0, %region1 ], [ %38, %region1.z_latch ]
  br label %region1.y

region1.y:                                        ; preds = %region1.y_latch, %region1.z
  %y3 = phi i32 [ 0, %region1.z ], [ %36, %region1.y_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.y
  %x4 = phi i32 [ 0, %region1.y ], [ %34, %region1.end ]
  %25 = zext nneg i32 %x4 to i64
  %26 = zext nneg i32 %y3 to i64
  %27 = zext nneg i32 %z2 to i64
  %28 = mul nuw nsw i64 %27, 1
  %29 = add nuw nsw i64 %28, %26
  %30 = mul nuw nsw i64 %29, 16
  %31 = add nuw nsw i64 %30, %25
  %32 = mul nuw nsw i64 %31, 36
  %33 = getelementptr inbounds i8, ptr %9, i64 %32
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return

after:                                            ; preds = %region1.work_item
  %v = load i32, ptr %33, align 4, !llvm.access.group !4
  store i32 %v, ptr addrspace(1) %5, align 4, !llvm.access.group !4
  br label %exit5

exit5:                                            ; preds = %after
  br label %region1.end

region1.end:                                      ; preds = %exit5
  %34 = add nuw nsw i32 %x4, 1
  %35 = icmp ult i32 %34, 16
  br i1 %35, label %region1.work_item, label %region1.y_latch, !llvm.loop !5

region1.y_latch:                                  ; preds = %region1.end
  %36 = add nuw nsw i32 %y3, 1
  %37 = icmp ult i32 %36, 1
  br i1 %37, label %region1.y, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.y_latch
  %38 = add nuw nsw i32 %z2, 1
  %39 = icmp ult i32 %38, 1
  br i1 %39, label %region1.z, label %region1.done

return:                                           ; preds = %region1.done
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
