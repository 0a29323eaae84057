; A transfer is done once, outside of the loops over the work-items.
; local size: 16,1,1
declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

define spir_kernel void @k(ptr addrspace(3) %to, ptr addrspace(1) %from) {
entry:
  %a = addrspacecast ptr addrspace(3) %to to ptr
  %b = addrspacecast ptr addrspace(1) %from to ptr
  call void @__mocl3_dma_transfer(ptr %a, i64 4, ptr %b, i64 4, i64 4, i64 1)
  ret void
}

; ==== after ====
; regions: 2, uniform loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group, 0 on the stack
; loops over items are innermost: true

declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 128
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %4 = addrspacecast ptr %3 to ptr addrspace(3)
  %5 = getelementptr inbounds i8, ptr %0, i64 0
  %6 = load i64, ptr %5, align 8, !invariant.load !0
  %7 = getelementptr inbounds i8, ptr addrspace(3) %4, i64 %6
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  %9 = load ptr addrspace(1), ptr %8, align 8, !invariant.load !0
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region1:                                          ; preds = %region0.done
  br label %region1.work_item

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %14, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %12, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %10, %region0.end ]
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %region1

entry1:                                           ; preds = %region0.work_item
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %10 = add nuw nsw i32 %x, 1
  %11 = icmp ult i32 %10, 16
  br i1 %11, label %region0.work_item, label %region0.y_latch, !llvm.loop !1

region0.y_latch:                                  ; preds = %region0.end
  %12 = add nuw nsw i32 %y, 1
  %13 = icmp ult i32 %12, 1
  br i1 %13, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %14 = add nuw nsw i32 %z, 1
  %15 = icmp ult i32 %14, 1
  br i1 %15, label %region0.z, label %region0.done

region1.work_item:                                ; preds = %region1
  br label %after1

region1.done:                                     ; preds = %region1.end
  br label %return

after1:                                           ; preds = %region1.work_item
  %16 = addrspacecast ptr addrspace(3) %7 to ptr
  %17 = addrspacecast ptr addrspace(1) %9 to ptr
  call void @__mocl3_dma_transfer(ptr %16, i64 4, ptr %17, i64 4, i64 4, i64 1)
  br label %exit2

exit2:                                            ; preds = %after1
  br label %region1.end

region1.end:                                      ; preds = %exit2
  br label %region1.done

return:                                           ; preds = %region1.done
  ret void
}

attributes #0 = { nounwind }

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !3}
!3 = distinct !{}
