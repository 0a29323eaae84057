; A group that is less than four work-items wide is not vectorised: the loop stays.
; local size: 2,8,1
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %last = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i32 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %out = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %more, ptr addrspace(1) %out
  ret void
}

; ==== after ====
; regions: 1, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: false

declare i64 @__mocl3_local_id(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %0, i64 0
  %3 = load ptr addrspace(1), ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load i32, ptr %4, align 4, !invariant.load !0
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %11, %region0.z_latch ]
  br label %region0.x

region0.x:                                        ; preds = %region0.x_latch, %region0.z
  %x = phi i32 [ 0, %region0.z ], [ %9, %region0.x_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.x
  %y = phi i32 [ 0, %region0.x ], [ %7, %region0.end ]
  %6 = zext nneg i32 %x to i64
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  br label %loop

loop:                                             ; preds = %loop, %entry1
  %i = phi i32 [ 0, %entry1 ], [ %next2, %loop ]
  %sum = phi float [ 0.000000e+00, %entry1 ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %3, i32 %i
  %value = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !1
  %more = fadd float %sum, %value
  %next2 = add i32 %i, 1
  %again = icmp slt i32 %next2, %5
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  %out = getelementptr float, ptr addrspace(1) %3, i64 %6
  store float %more, ptr addrspace(1) %out, align 4, !llvm.access.group !1
  br label %exit

exit:                                             ; preds = %done
  br label %region0.end

region0.end:                                      ; preds = %exit
  %7 = add nuw nsw i32 %y, 1
  %8 = icmp ult i32 %7, 8
  br i1 %8, label %region0.work_item, label %region0.x_latch, !llvm.loop !2

region0.x_latch:                                  ; preds = %region0.end
  %9 = add nuw nsw i32 %x, 1
  %10 = icmp ult i32 %9, 2
  br i1 %10, label %region0.x, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.x_latch
  %11 = add nuw nsw i32 %z, 1
  %12 = icmp ult i32 %11, 1
  br i1 %12, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
