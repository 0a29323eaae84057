; A value kept across a barrier is stored for each work-item at the end of the first region and loaded at the beginning of the second.
; local size: 16,1,1
declare i64 @__mocl3_local_id(i32)
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  %x = load float, ptr addrspace(1) %place
  call void @__mocl3_barrier()
  store float %x, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; regions: 2, interchanged loops: 0
; local memory: 0 bytes
; private memory: 4 bytes of each item, 508 of the group; needed: 4 kept, 4 transient
; loops over items are innermost: true

declare i64 @__mocl3_local_id(i32)

declare void @__mocl3_barrier()

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 136
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 0
  %5 = load ptr addrspace(1), ptr %4, align 8, !invariant.load !0
  %register = alloca float, align 4
  %6 = getelementptr inbounds i8, ptr %3, i64 0
  %7 = getelementptr inbounds i8, ptr %6, i64 0
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
  %8 = zext nneg i32 %x to i64
  %9 = zext nneg i32 %y to i64
  %10 = zext nneg i32 %z to i64
  %11 = mul nuw nsw i64 %10, 1
  %12 = add nuw nsw i64 %11, %9
  %13 = mul nuw nsw i64 %12, 16
  %14 = add nuw nsw i64 %13, %8
  %15 = mul nuw nsw i64 %14, 4
  %16 = getelementptr inbounds i8, ptr %7, i64 %15
  %17 = load float, ptr %16, align 4, !llvm.access.group !1
  store float %17, ptr %register, align 4
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %region1

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr float, ptr addrspace(1) %5, i64 %8
  %x2 = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !1
  store float %x2, ptr %register, align 4
  br label %exit

exit:                                             ; preds = %entry1
  %18 = load float, ptr %register, align 4
  store float %18, ptr %16, align 4, !llvm.access.group !1
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
  %z3 = phi i32 [ 0, %region1 ], [ %40, %region1.z_latch ]
  br label %region1.y

region1.y:                                        ; preds = %region1.y_latch, %region1.z
  %y4 = phi i32 [ 0, %region1.z ], [ %38, %region1.y_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.y
  %x5 = phi i32 [ 0, %region1.y ], [ %36, %region1.end ]
  %25 = zext nneg i32 %x5 to i64
  %26 = zext nneg i32 %y4 to i64
  %27 = zext nneg i32 %z3 to i64
  %28 = mul nuw nsw i64 %27, 1
  %29 = add nuw nsw i64 %28, %26
  %30 = mul nuw nsw i64 %29, 16
  %31 = add nuw nsw i64 %30, %25
  %32 = mul nuw nsw i64 %31, 4
  %33 = getelementptr inbounds i8, ptr %7, i64 %32
  %34 = load float, ptr %33, align 4, !llvm.access.group !4
  store float %34, ptr %register, align 4
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return

after:                                            ; preds = %region1.work_item
  %35 = load float, ptr %register, align 4
  store float %35, ptr addrspace(1) %5, align 4, !llvm.access.group !4
  br label %exit6

exit6:                                            ; preds = %after
  br label %region1.end

region1.end:                                      ; preds = %exit6
  %36 = add nuw nsw i32 %x5, 1
  %37 = icmp ult i32 %36, 16
  br i1 %37, label %region1.work_item, label %region1.y_latch, !llvm.loop !5

region1.y_latch:                                  ; preds = %region1.end
  %38 = add nuw nsw i32 %y4, 1
  %39 = icmp ult i32 %38, 1
  br i1 %39, label %region1.y, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.y_latch
  %40 = add nuw nsw i32 %z3, 1
  %41 = icmp ult i32 %40, 1
  br i1 %41, label %region1.z, label %region1.done

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
