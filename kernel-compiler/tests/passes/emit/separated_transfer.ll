; Of separated work-items, the first one that arrives at a transfer makes it.
; local size: 16,1,1
declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %first = icmp ult i64 %id, 4
  br i1 %first, label %then, label %done
then:
  %from = inttoptr i64 %id to ptr
  %event = call ptr @__mocl3_dma_transfer(ptr null, i64 4, ptr %from, i64 4, i64 4, i64 1, ptr null)
  br label %done
done:
  ret void
}

; ==== after ====
; regions: 3, interchanged loops: 0
; local memory: 0 bytes
; private memory: 12 bytes of each item, 1524 of the group; needed: 12 kept, 8 transient
; loops over items are innermost: true

declare ptr @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64, ptr)

declare i64 @__mocl3_local_id(i32)

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 136
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %register = alloca ptr, align 8
  %4 = getelementptr inbounds i8, ptr %3, i64 0
  %5 = getelementptr inbounds i8, ptr %4, i64 0
  %6 = getelementptr inbounds i8, ptr %4, i64 1024
  %is_done = alloca i32, align 4
  br label %region0

region1.separated:                                ; preds = %separated
  store i32 0, ptr %is_done, align 4
  br label %region1.separated.z

region2.separated:                                ; preds = %separated
  store i32 0, ptr %is_done, align 4
  br label %region2.separated.z

separated:                                        ; preds = %region2.separated.done, %region1.separated.done, %region0.done
  %7 = call i32 @__mocl3_next_arrival(ptr %1, ptr %6, i64 16)
  switch i32 %7, label %return10 [
    i32 2, label %region1.separated
    i32 4, label %region2.separated
  ]

region0:                                          ; preds = %entry
  br label %region0.z

region1:                                          ; preds = %region0.done
  br label %region1.work_item

region2:                                          ; preds = %region1.done
  br label %region2.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %26, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %24, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %22, %region0.end ]
  %8 = zext nneg i32 %x to i64
  %9 = zext nneg i32 %y to i64
  %10 = zext nneg i32 %z to i64
  %11 = mul nuw nsw i64 %10, 1
  %12 = add nuw nsw i64 %11, %9
  %13 = mul nuw nsw i64 %12, 16
  %14 = add nuw nsw i64 %13, %8
  %15 = mul nuw nsw i64 %14, 8
  %16 = getelementptr inbounds i8, ptr %5, i64 %15
  %17 = mul nuw nsw i64 %14, 4
  %18 = getelementptr inbounds i8, ptr %6, i64 %17
  %19 = load ptr, ptr %16, align 8, !llvm.access.group !1
  store ptr %19, ptr %register, align 8
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  %20 = call i32 @__mocl3_agreed_arrival(ptr %1, ptr %6, i64 16)
  switch i32 %20, label %separated [
    i32 3, label %region1
    i32 -1, label %return
  ]

entry1:                                           ; preds = %region0.work_item
  %first = icmp ult i64 %8, 4
  br i1 %first, label %then, label %done

then:                                             ; preds = %entry1
  %from = inttoptr i64 %8 to ptr
  store ptr %from, ptr %register, align 8
  br label %exit

done:                                             ; preds = %entry1
  br label %exit2

exit:                                             ; preds = %then
  %21 = load ptr, ptr %register, align 8
  store ptr %21, ptr %16, align 8, !llvm.access.group !1
  store i32 3, ptr %18, align 4, !llvm.access.group !1
  br label %region0.end

exit2:                                            ; preds = %done
  store i32 -1, ptr %18, align 4, !llvm.access.group !1
  br label %region0.end

region0.end:                                      ; preds = %exit2, %exit
  %22 = add nuw nsw i32 %x, 1
  %23 = icmp ult i32 %22, 16
  br i1 %23, label %region0.work_item, label %region0.y_latch, !llvm.loop !2

region0.y_latch:                                  ; preds = %region0.end
  %24 = add nuw nsw i32 %y, 1
  %25 = icmp ult i32 %24, 1
  br i1 %25, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %26 = add nuw nsw i32 %z, 1
  %27 = icmp ult i32 %26, 1
  br i1 %27, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void

region1.work_item:                                ; preds = %region1
  %28 = getelementptr inbounds i8, ptr %5, i64 0
  %29 = load ptr, ptr %28, align 8, !llvm.access.group !4
  store ptr %29, ptr %register, align 8
  br label %after1

region1.done:                                     ; preds = %region1.end
  br label %region2

after1:                                           ; preds = %region1.work_item
  %30 = load ptr, ptr %register, align 8
  %event = call ptr @__mocl3_dma_transfer(ptr null, i64 4, ptr %30, i64 4, i64 4, i64 1, ptr null)
  br label %exit3

exit3:                                            ; preds = %after1
  br label %region1.end

region1.end:                                      ; preds = %exit3
  br label %region1.done

region2.z:                                        ; preds = %region2.z_latch, %region2
  %z4 = phi i32 [ 0, %region2 ], [ %35, %region2.z_latch ]
  br label %region2.y

region2.y:                                        ; preds = %region2.y_latch, %region2.z
  %y5 = phi i32 [ 0, %region2.z ], [ %33, %region2.y_latch ]
  br label %region2.work_item

region2.work_item:                                ; preds = %region2.end, %region2.y
  %x6 = phi i32 [ 0, %region2.y ], [ %31, %region2.end ]
  br label %after

region2.done:                                     ; preds = %region2.z_latch
  br label %return9

after:                                            ; preds = %region2.work_item
  br label %done7

done7:                                            ; preds = %after
  br label %exit8

exit8:                                            ; preds = %done7
  br label %region2.end

region2.end:                                      ; preds = %exit8
  %31 = add nuw nsw i32 %x6, 1
  %32 = icmp ult i32 %31, 16
  br i1 %32, label %region2.work_item, label %region2.y_latch, !llvm.loop !5

region2.y_latch:                                  ; preds = %region2.end
  %33 = add nuw nsw i32 %y5, 1
  %34 = icmp ult i32 %33, 1
  br i1 %34, label %region2.y, label %region2.z_latch

region2.z_latch:                                  ; preds = %region2.y_latch
  %35 = add nuw nsw i32 %z4, 1
  %36 = icmp ult i32 %35, 1
  br i1 %36, label %region2.z, label %region2.done

return9:                                          ; preds = %region2.done
  ret void

return10:                                         ; preds = %separated
  ret void

region1.separated.z:                              ; preds = %region1.separated.z_latch, %region1.separated
  %z11 = phi i32 [ 0, %region1.separated ], [ %56, %region1.separated.z_latch ]
  br label %region1.separated.y

region1.separated.y:                              ; preds = %region1.separated.y_latch, %region1.separated.z
  %y12 = phi i32 [ 0, %region1.separated.z ], [ %54, %region1.separated.y_latch ]
  br label %region1.separated.work_item

region1.separated.work_item:                      ; preds = %region1.separated.end, %region1.separated.y
  %x13 = phi i32 [ 0, %region1.separated.y ], [ %52, %region1.separated.end ]
  %37 = zext nneg i32 %x13 to i64
  %38 = zext nneg i32 %y12 to i64
  %39 = zext nneg i32 %z11 to i64
  %40 = mul nuw nsw i64 %39, 1
  %41 = add nuw nsw i64 %40, %38
  %42 = mul nuw nsw i64 %41, 16
  %43 = add nuw nsw i64 %42, %37
  %44 = mul nuw nsw i64 %43, 8
  %45 = getelementptr inbounds i8, ptr %5, i64 %44
  %46 = mul nuw nsw i64 %43, 4
  %47 = getelementptr inbounds i8, ptr %6, i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = icmp eq i32 %48, 2
  br i1 %49, label %arrived, label %region1.separated.end

region1.separated.done:                           ; preds = %region1.separated.z_latch
  br label %separated

arrived:                                          ; preds = %region1.separated.work_item
  %50 = load ptr, ptr %45, align 8, !llvm.access.group !8
  store ptr %50, ptr %register, align 8
  br label %after114

after114:                                         ; preds = %arrived
  %51 = load ptr, ptr %register, align 8
  %event16 = call ptr @__mocl3_dma_transfer(ptr null, i64 4, ptr %51, i64 4, i64 4, i64 1, ptr null)
  br label %exit15

exit15:                                           ; preds = %after114
  store i32 4, ptr %47, align 4
  br label %region1.separated.end

region1.separated.end:                            ; preds = %exit15, %region1.separated.work_item
  %52 = add nuw nsw i32 %x13, 1
  %53 = icmp ult i32 %52, 16
  br i1 %53, label %region1.separated.work_item, label %region1.separated.y_latch, !llvm.loop !9

region1.separated.y_latch:                        ; preds = %region1.separated.end
  %54 = add nuw nsw i32 %y12, 1
  %55 = icmp ult i32 %54, 1
  br i1 %55, label %region1.separated.y, label %region1.separated.z_latch

region1.separated.z_latch:                        ; preds = %region1.separated.y_latch
  %56 = add nuw nsw i32 %z11, 1
  %57 = icmp ult i32 %56, 1
  br i1 %57, label %region1.separated.z, label %region1.separated.done

region2.separated.z:                              ; preds = %region2.separated.z_latch, %region2.separated
  %z17 = phi i32 [ 0, %region2.separated ], [ %73, %region2.separated.z_latch ]
  br label %region2.separated.y

region2.separated.y:                              ; preds = %region2.separated.y_latch, %region2.separated.z
  %y18 = phi i32 [ 0, %region2.separated.z ], [ %71, %region2.separated.y_latch ]
  br label %region2.separated.work_item

region2.separated.work_item:                      ; preds = %region2.separated.end, %region2.separated.y
  %x19 = phi i32 [ 0, %region2.separated.y ], [ %69, %region2.separated.end ]
  %58 = zext nneg i32 %x19 to i64
  %59 = zext nneg i32 %y18 to i64
  %60 = zext nneg i32 %z17 to i64
  %61 = mul nuw nsw i64 %60, 1
  %62 = add nuw nsw i64 %61, %59
  %63 = mul nuw nsw i64 %62, 16
  %64 = add nuw nsw i64 %63, %58
  %65 = mul nuw nsw i64 %64, 4
  %66 = getelementptr inbounds i8, ptr %6, i64 %65
  %67 = load i32, ptr %66, align 4
  %68 = icmp eq i32 %67, 4
  br i1 %68, label %arrived20, label %region2.separated.end

region2.separated.done:                           ; preds = %region2.separated.z_latch
  br label %separated

arrived20:                                        ; preds = %region2.separated.work_item
  br label %after21

after21:                                          ; preds = %arrived20
  br label %done22

done22:                                           ; preds = %after21
  br label %exit23

exit23:                                           ; preds = %done22
  store i32 -1, ptr %66, align 4
  br label %region2.separated.end

region2.separated.end:                            ; preds = %exit23, %region2.separated.work_item
  %69 = add nuw nsw i32 %x19, 1
  %70 = icmp ult i32 %69, 16
  br i1 %70, label %region2.separated.work_item, label %region2.separated.y_latch, !llvm.loop !11

region2.separated.y_latch:                        ; preds = %region2.separated.end
  %71 = add nuw nsw i32 %y18, 1
  %72 = icmp ult i32 %71, 1
  br i1 %72, label %region2.separated.y, label %region2.separated.z_latch

region2.separated.z_latch:                        ; preds = %region2.separated.y_latch
  %73 = add nuw nsw i32 %z17, 1
  %74 = icmp ult i32 %73, 1
  br i1 %74, label %region2.separated.z, label %region2.separated.done
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
!6 = !{!"llvm.loop.parallel_accesses", !7}
!7 = distinct !{}
!8 = distinct !{}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.vectorize.enable", i1 false}
!11 = distinct !{!11, !10}
