; A region that only increments a uniform counter is executed once for the group.
; local size: 2,8,1
declare i64 @__mocl3_local_id(i32)
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  call void @__mocl3_barrier()
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %i, ptr addrspace(1) %place
  call void @__mocl3_barrier()
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %done

done:
  ret void
}

; ==== after ====
; regions: 3, interchanged loops: 0
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
  %next = alloca i32, align 4
  br label %region0

region0:                                          ; preds = %entry
  %9 = load i32, ptr %8, align 128
  br label %region0.work_item

region1:                                          ; preds = %region2.done, %region0.done
  %10 = load i32, ptr %8, align 128
  br label %region1.z

region2:                                          ; preds = %region1.done
  %11 = load i32, ptr %8, align 128
  br label %region2.work_item

region0.work_item:                                ; preds = %region0
  store i32 %9, ptr %register, align 4
  br label %entry1

region0.done:                                     ; preds = %region0.end
  br label %region1

entry1:                                           ; preds = %region0.work_item
  br label %round

round:                                            ; preds = %entry1
  %i = phi i32 [ 0, %entry1 ]
  store i32 %i, ptr %register, align 4
  br label %exit

exit:                                             ; preds = %round
  %12 = load i32, ptr %register, align 4
  store i32 %12, ptr %8, align 128
  br label %region0.end

region0.end:                                      ; preds = %exit
  br label %region0.done

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z = phi i32 [ 0, %region1 ], [ %19, %region1.z_latch ]
  br label %region1.x

region1.x:                                        ; preds = %region1.x_latch, %region1.z
  %x = phi i32 [ 0, %region1.z ], [ %17, %region1.x_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.x
  %y = phi i32 [ 0, %region1.x ], [ %15, %region1.end ]
  %13 = zext nneg i32 %x to i64
  store i32 %10, ptr %register, align 4
  br label %after1

region1.done:                                     ; preds = %region1.z_latch
  br label %region2

after1:                                           ; preds = %region1.work_item
  %place = getelementptr i32, ptr addrspace(1) %5, i64 %13
  %14 = load i32, ptr %register, align 4
  store i32 %14, ptr addrspace(1) %place, align 4, !llvm.access.group !1
  br label %exit2

exit2:                                            ; preds = %after1
  br label %region1.end

region1.end:                                      ; preds = %exit2
  %15 = add nuw nsw i32 %y, 1
  %16 = icmp ult i32 %15, 8
  br i1 %16, label %region1.work_item, label %region1.x_latch, !llvm.loop !2

region1.x_latch:                                  ; preds = %region1.end
  %17 = add nuw nsw i32 %x, 1
  %18 = icmp ult i32 %17, 2
  br i1 %18, label %region1.x, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.x_latch
  %19 = add nuw nsw i32 %z, 1
  %20 = icmp ult i32 %19, 1
  br i1 %20, label %region1.z, label %region1.done

region2.work_item:                                ; preds = %region2
  store i32 %11, ptr %register, align 4
  br label %after

region2.done:                                     ; preds = %region2.end
  %21 = load i32, ptr %next, align 4
  switch i32 %21, label %region1 [
    i32 1, label %return
  ]

round3:                                           ; preds = %after
  %i6 = phi i32 [ %next7, %after ]
  store i32 %i6, ptr %register, align 4
  br label %exit4

after:                                            ; preds = %region2.work_item
  %22 = load i32, ptr %register, align 4
  %next7 = add nuw i32 %22, 1
  %more = icmp ult i32 %next7, %7
  br i1 %more, label %round3, label %done

done:                                             ; preds = %after
  br label %exit5

exit4:                                            ; preds = %round3
  %23 = load i32, ptr %register, align 4
  store i32 %23, ptr %8, align 128
  store i32 0, ptr %next, align 4
  br label %region2.end

exit5:                                            ; preds = %done
  store i32 1, ptr %next, align 4
  br label %region2.end

region2.end:                                      ; preds = %exit5, %exit4
  br label %region2.done

return:                                           ; preds = %region2.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
