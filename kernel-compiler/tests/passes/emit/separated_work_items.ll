; Work-items store at which exit of a region they have arrived. If these differ, the group continues in
; second copies of the regions, without lanes.
; local size: 16,1,1
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %first = icmp ult i64 %id, 4
  br i1 %first, label %then, label %done
then:
  call void @__mocl3_barrier()
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 1, ptr addrspace(1) %place
  br label %done
done:
  ret void
}

; ==== after ====
; regions: 2, interchanged loops: 0
; local memory: 0 bytes
; private memory: 4 bytes of each item, 508 of the group; needed: 4 kept, 0 transient
; loops over items are innermost: true

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 136
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 0
  %5 = load ptr addrspace(1), ptr %4, align 8, !invariant.load !0
  %6 = getelementptr inbounds i8, ptr %3, i64 0
  %7 = getelementptr inbounds i8, ptr %6, i64 0
  %is_done = alloca i32, align 4
  br label %region0

region1.separated:                                ; preds = %separated
  store i32 0, ptr %is_done, align 4
  br label %region1.separated.z

separated:                                        ; preds = %region1.separated.done, %region0.done
  %8 = call i32 @__mocl3_next_arrival(ptr %1, ptr %7, i64 16)
  switch i32 %8, label %return9 [
    i32 2, label %region1.separated
  ]

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
  %9 = zext nneg i32 %x to i64
  %10 = zext nneg i32 %y to i64
  %11 = zext nneg i32 %z to i64
  %12 = mul nuw nsw i64 %11, 1
  %13 = add nuw nsw i64 %12, %10
  %14 = mul nuw nsw i64 %13, 16
  %15 = add nuw nsw i64 %14, %9
  %16 = mul nuw nsw i64 %15, 4
  %17 = getelementptr inbounds i8, ptr %7, i64 %16
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  %18 = call i32 @__mocl3_agreed_arrival(ptr %1, ptr %7, i64 16)
  switch i32 %18, label %separated [
    i32 3, label %region1
    i32 -1, label %return
  ]

entry1:                                           ; preds = %region0.work_item
  %first = icmp ult i64 %9, 4
  br i1 %first, label %then, label %done

then:                                             ; preds = %entry1
  br label %exit

done:                                             ; preds = %entry1
  br label %exit2

exit:                                             ; preds = %then
  store i32 3, ptr %17, align 4, !llvm.access.group !1
  br label %region0.end

exit2:                                            ; preds = %done
  store i32 -1, ptr %17, align 4, !llvm.access.group !1
  br label %region0.end

region0.end:                                      ; preds = %exit2, %exit
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

return:                                           ; preds = %region0.done
  ret void

region1.z:                                        ; preds = %region1.z_latch, %region1
  %z3 = phi i32 [ 0, %region1 ], [ %30, %region1.z_latch ]
  br label %region1.y

region1.y:                                        ; preds = %region1.y_latch, %region1.z
  %y4 = phi i32 [ 0, %region1.z ], [ %28, %region1.y_latch ]
  br label %region1.work_item

region1.work_item:                                ; preds = %region1.end, %region1.y
  %x5 = phi i32 [ 0, %region1.y ], [ %26, %region1.end ]
  %25 = zext nneg i32 %x5 to i64
  br label %after

region1.done:                                     ; preds = %region1.z_latch
  br label %return8

after:                                            ; preds = %region1.work_item
  %place = getelementptr i32, ptr addrspace(1) %5, i64 %25
  store i32 1, ptr addrspace(1) %place, align 4, !llvm.access.group !4
  br label %done6

done6:                                            ; preds = %after
  br label %exit7

exit7:                                            ; preds = %done6
  br label %region1.end

region1.end:                                      ; preds = %exit7
  %26 = add nuw nsw i32 %x5, 1
  %27 = icmp ult i32 %26, 16
  br i1 %27, label %region1.work_item, label %region1.y_latch, !llvm.loop !5

region1.y_latch:                                  ; preds = %region1.end
  %28 = add nuw nsw i32 %y4, 1
  %29 = icmp ult i32 %28, 1
  br i1 %29, label %region1.y, label %region1.z_latch

region1.z_latch:                                  ; preds = %region1.y_latch
  %30 = add nuw nsw i32 %z3, 1
  %31 = icmp ult i32 %30, 1
  br i1 %31, label %region1.z, label %region1.done

return8:                                          ; preds = %region1.done
  ret void

return9:                                          ; preds = %separated
  ret void

region1.separated.z:                              ; preds = %region1.separated.z_latch, %region1.separated
  %z10 = phi i32 [ 0, %region1.separated ], [ %47, %region1.separated.z_latch ]
  br label %region1.separated.y

region1.separated.y:                              ; preds = %region1.separated.y_latch, %region1.separated.z
  %y11 = phi i32 [ 0, %region1.separated.z ], [ %45, %region1.separated.y_latch ]
  br label %region1.separated.work_item

region1.separated.work_item:                      ; preds = %region1.separated.end, %region1.separated.y
  %x12 = phi i32 [ 0, %region1.separated.y ], [ %43, %region1.separated.end ]
  %32 = zext nneg i32 %x12 to i64
  %33 = zext nneg i32 %y11 to i64
  %34 = zext nneg i32 %z10 to i64
  %35 = mul nuw nsw i64 %34, 1
  %36 = add nuw nsw i64 %35, %33
  %37 = mul nuw nsw i64 %36, 16
  %38 = add nuw nsw i64 %37, %32
  %39 = mul nuw nsw i64 %38, 4
  %40 = getelementptr inbounds i8, ptr %7, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = icmp eq i32 %41, 2
  br i1 %42, label %arrived, label %region1.separated.end

region1.separated.done:                           ; preds = %region1.separated.z_latch
  br label %separated

arrived:                                          ; preds = %region1.separated.work_item
  br label %after13

after13:                                          ; preds = %arrived
  %place16 = getelementptr i32, ptr addrspace(1) %5, i64 %32
  store i32 1, ptr addrspace(1) %place16, align 4, !llvm.access.group !7
  br label %done14

done14:                                           ; preds = %after13
  br label %exit15

exit15:                                           ; preds = %done14
  store i32 -1, ptr %40, align 4
  br label %region1.separated.end

region1.separated.end:                            ; preds = %exit15, %region1.separated.work_item
  %43 = add nuw nsw i32 %x12, 1
  %44 = icmp ult i32 %43, 16
  br i1 %44, label %region1.separated.work_item, label %region1.separated.y_latch, !llvm.loop !8

region1.separated.y_latch:                        ; preds = %region1.separated.end
  %45 = add nuw nsw i32 %y11, 1
  %46 = icmp ult i32 %45, 1
  br i1 %46, label %region1.separated.y, label %region1.separated.z_latch

region1.separated.z_latch:                        ; preds = %region1.separated.y_latch
  %47 = add nuw nsw i32 %z10, 1
  %48 = icmp ult i32 %47, 1
  br i1 %48, label %region1.separated.z, label %region1.separated.done
}

; Function Attrs: nofree nosync nounwind willreturn
declare i32 @__mocl3_agreed_arrival(ptr, ptr, i64) #1

; Function Attrs: nofree nosync nounwind willreturn
declare i32 @__mocl3_next_arrival(ptr, ptr, i64) #1

attributes #0 = { nounwind "mocl3-small-objects" }
attributes #1 = { nofree nosync nounwind willreturn }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
!4 = distinct !{}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.parallel_accesses", !4}
!7 = distinct !{}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.vectorize.enable", i1 false}
