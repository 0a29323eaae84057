; Without a global offset, groups begin at multiples of their size, which alignment follows from.
; local size: 64,1,1
; without offset
declare i64 @__mocl3_global_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_global_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float 1.0, ptr addrspace(1) %place
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
  %2 = getelementptr inbounds i8, ptr %1, i64 104
  %3 = load i64, ptr %2, align 8, !range !0, !invariant.load !1
  %4 = trunc i64 %3 to i32
  %5 = mul nuw nsw i32 %4, 64
  %6 = add nuw nsw i32 %5, 0
  %7 = getelementptr inbounds i8, ptr %0, i64 0
  %8 = load ptr addrspace(1), ptr %7, align 8, !invariant.load !1
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %15, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %13, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %11, %region0.end ]
  %9 = add nuw nsw i32 %6, %x
  %10 = zext nneg i32 %9 to i64
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr float, ptr addrspace(1) %8, i64 %10
  store float 1.000000e+00, ptr addrspace(1) %place, align 4, !llvm.access.group !2
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %11 = add nuw nsw i32 %x, 1
  %12 = icmp ult i32 %11, 64
  br i1 %12, label %region0.work_item, label %region0.y_latch, !llvm.loop !3

region0.y_latch:                                  ; preds = %region0.end
  %13 = add nuw nsw i32 %y, 1
  %14 = icmp ult i32 %13, 1
  br i1 %14, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %15 = add nuw nsw i32 %z, 1
  %16 = icmp ult i32 %15, 1
  br i1 %16, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{i64 0, i64 1073741825}
!1 = !{}
!2 = distinct !{}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.parallel_accesses", !2}
