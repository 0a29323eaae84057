; A uniform value that crosses a barrier is stored once for the group, and loaded once before the loops.
; local size: 2,8,1
declare i64 @__mocl3_local_id(i32)
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 1)
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %many = icmp ugt i32 %n, 3
  br i1 %many, label %few, label %meet

few:
  br label %meet

meet:
  %x = phi i32 [ 3, %few ], [ %n, %entry ]
  store i32 %x, ptr addrspace(1) %place
  call void @__mocl3_barrier()
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; regions: 2, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 128 of the group; needed: 0 kept, 4 transient
; loops over items are innermost: false

declare i64 @__mocl3_local_id(i32)

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
  %register = alloca i32, align 4
  %8 = getelementptr inbounds i8, ptr %3, i64 0
  br label %region0

region0:                                          ; preds = %entry
  %9 = load i32, ptr %8, align 128
  br label %region0.z

region1:                                          ; preds = %region0.done
  %10 = load i32, ptr %8, align 128
  br label %region1.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %17, %region0.z_latch ]
  br label %region0.x

region0.x:                                        ; preds = %region0.x_latch, %region0.z
  %x = phi i32 [ 0, %region0.z ], [ %15, %region0.x_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.x
  %y = phi i32 [ 0, %region0.x ], [ %13, %region0.end ]
  %11 = zext nneg i32 %y to i64
  store i32 %9, ptr %register, align 4
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %region1

entry1:                                           ; preds = %region0.work_item
  %place = getelementptr i32, ptr addrspace(1) %5, i64 %11
  %many = icmp ugt i32 %7, 3
  br i1 %many, label %few, label %meet

few:                                              ; preds = %entry1
  br label %meet

meet:                                             ; preds = %few, %entry1
  %x2 = phi i32 [ 3, %few ], [ %7, %entry1 ]
  store i32 %x2, ptr %register, align 4
  store i32 %x2, ptr addrspace(1) %place, align 4, !llvm.access.group !1
  br label %exit

exit:                                             ; preds = %meet
  %12 = load i32, ptr %register, align 4
  store i32 %12, ptr %8, align 128
  br label %region0.end

region0.end:                                      ; preds = %exit
  %13 = add nuw nsw i32 %y, 1
  %14 = icmp ult i32 %13, 8
  br i1 %14, label %region0.work_item, label %region0.x_latch, !llvm.loop !2

region0.x_latch:                                  ; preds = %region0.end
  %15 = add nuw nsw i32 %x, 1
  %16 = icmp ult i32 %15, 2
  br i1 %16, label %region0.x, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.x_latch
  %17 = add nuw nsw i32 %z, 1
  %18 = icmp ult i32 %17, 1
  br i1 %18, label %region0.z, label %region0.done

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z3 = phi i32 [ 0, %region1 ], [ %24, %region1.z_latch ]
  br label %region1.x

region1.x:                                        ; preds = %region1.x_latch, %region1.z
  %x4 = phi i32 [ 0, %region1.z ], [ %22, %region1.x_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.x
  %y5 = phi i32 [ 0, %region1.x ], [ %20, %region1.end ]
  store i32 %10, ptr %register, align 4
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return

after:                                            ; preds = %region1.work_item
  %19 = load i32, ptr %register, align 4
  store i32 %19, ptr addrspace(1) %5, align 4, !llvm.access.group !4
  br label %exit6

exit6:                                            ; preds = %after
  br label %region1.end

region1.end:                                      ; preds = %exit6
  %20 = add nuw nsw i32 %y5, 1
  %21 = icmp ult i32 %20, 8
  br i1 %21, label %region1.work_item, label %region1.x_latch, !llvm.loop !5

region1.x_latch:                                  ; preds = %region1.end
  %22 = add nuw nsw i32 %x4, 1
  %23 = icmp ult i32 %22, 2
  br i1 %23, label %region1.x, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.x_latch
  %24 = add nuw nsw i32 %z3, 1
  %25 = icmp ult i32 %24, 1
  br i1 %25, label %region1.z, label %region1.done

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
