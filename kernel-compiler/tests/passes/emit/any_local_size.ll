; Code for all local sizes loads the local size; without the small-grid assumption ids have 64 bits.
; large grid
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
  %2 = getelementptr inbounds i8, ptr %1, i64 56
  %3 = load i64, ptr %2, align 8, !range !0, !invariant.load !1
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8, !invariant.load !1
  %6 = getelementptr inbounds i8, ptr %1, i64 104
  %7 = load i64, ptr %6, align 8, !range !2, !invariant.load !1
  %8 = trunc i64 %3 to i32
  %9 = mul nuw nsw i64 %7, %3
  %10 = add i64 %9, %5
  %11 = getelementptr inbounds i8, ptr %1, i64 64
  %12 = load i64, ptr %11, align 8, !range !0, !invariant.load !1
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds i8, ptr %1, i64 72
  %15 = load i64, ptr %14, align 8, !range !0, !invariant.load !1
  %16 = trunc i64 %15 to i32
  %17 = getelementptr inbounds i8, ptr %0, i64 0
  %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !1
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %25, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %23, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %21, %region0.end ]
  %19 = zext nneg i32 %x to i64
  %20 = add i64 %10, %19
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr float, ptr addrspace(1) %18, i64 %20
  store float 1.000000e+00, ptr addrspace(1) %place, align 4, !llvm.access.group !3
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %21 = add nuw nsw i32 %x, 1
  %22 = icmp ult i32 %21, %8
  br i1 %22, label %region0.work_item, label %region0.y_latch, !llvm.loop !4

region0.y_latch:                                  ; preds = %region0.end
  %23 = add nuw nsw i32 %y, 1
  %24 = icmp ult i32 %23, %13
  br i1 %24, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %25 = add nuw nsw i32 %z, 1
  %26 = icmp ult i32 %25, %16
  br i1 %26, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind }

!0 = !{i64 1, i64 65536}
!1 = !{}
!2 = !{i64 0, i64 4611686018427387905}
!3 = distinct !{}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.parallel_accesses", !3}
