; A required local size is a constant even if the local size of the launch is unknown.
declare i64 @__mocl3_local_size(i32)

define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
entry:
  %s = call i64 @__mocl3_local_size(i32 0)
  store i64 %s, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 8, i32 4, i32 2}

; ==== after ====
; regions: 1, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

declare i64 @__mocl3_local_size(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %0, i64 0
  %3 = load ptr addrspace(1), ptr %2, align 8, !invariant.load !0
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %8, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %6, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %4, %region0.end ]
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  store i64 8, ptr addrspace(1) %3, align 4, !llvm.access.group !1
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %4 = add nuw nsw i32 %x, 1
  %5 = icmp ult i32 %4, 8
  br i1 %5, label %region0.work_item, label %region0.y_latch, !llvm.loop !2

region0.y_latch:                                  ; preds = %region0.end
  %6 = add nuw nsw i32 %y, 1
  %7 = icmp ult i32 %6, 4
  br i1 %7, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %8 = add nuw nsw i32 %z, 1
  %9 = icmp ult i32 %8, 2
  br i1 %9, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
