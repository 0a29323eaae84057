; A uniform loop contains the loop over the work-items: the counter is incremented once per iteration.
; local size: 16,1,1
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
; regions: 5, interchanged loops: 1
; local memory: 0 bytes
; private memory: 8 bytes of each item, 1016 of the group; needed: 8 kept, 12 transient
; loops over items are innermost: true

declare i64 @__mocl3_local_id(i32)

declare void @__mocl3_barrier()

declare void @__mocl3_once()

; Function Attrs: nounwind
define void @mocl3_work_group_function(ptr %0, ptr %1) #0 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 136
  %3 = load ptr, ptr %2, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 0
  %5 = load ptr addrspace(1), ptr %4, align 8, !invariant.load !0
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 4, !invariant.load !0
  %register = alloca float, align 4
  %register1 = alloca float, align 4
  %8 = alloca i32, align 4
  %9 = getelementptr inbounds i8, ptr %3, i64 0
  %10 = getelementptr inbounds i8, ptr %9, i64 0
  %11 = getelementptr inbounds i8, ptr %9, i64 512
  %next = alloca i32, align 4
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region1:                                          ; preds = %region0.done
  br label %region1.work_item

region2:                                          ; preds = %region3.done, %region1.done
  br label %region2.z

region3:                                          ; preds = %region2.done
  br label %region3.work_item

region4:                                          ; preds = %region3.done
  br label %region4.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %27, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %25, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %23, %region0.end ]
  %12 = zext nneg i32 %x to i64
  %13 = zext nneg i32 %y to i64
  %14 = zext nneg i32 %z to i64
  %15 = mul nuw nsw i64 %14, 1
  %16 = add nuw nsw i64 %15, %13
  %17 = mul nuw nsw i64 %16, 16
  %18 = add nuw nsw i64 %17, %12
  %19 = mul nuw nsw i64 %18, 4
  %20 = getelementptr inbounds i8, ptr %11, i64 %19
  %21 = load float, ptr %20, align 4, !llvm.access.group !1
  store float %21, ptr %register1, align 4
  br label %entry2

region0.done:                                     ; preds = %region0.z_latch
  br label %region1

entry2:                                           ; preds = %region0.work_item
  store float 0.000000e+00, ptr %register1, align 4
  br label %exit

exit:                                             ; preds = %entry2
  %22 = load float, ptr %register1, align 4
  store float %22, ptr %20, align 4, !llvm.access.group !1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %23 = add nuw nsw i32 %x, 1
  %24 = icmp ult i32 %23, 16
  br i1 %24, label %region0.work_item, label %region0.y_latch, !llvm.loop !2

region0.y_latch:                                  ; preds = %region0.end
  %25 = add nuw nsw i32 %y, 1
  %26 = icmp ult i32 %25, 1
  br i1 %26, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %27 = add nuw nsw i32 %z, 1
  %28 = icmp ult i32 %27, 1
  br i1 %28, label %region0.z, label %region0.done

region1.work_item:                                ; preds = %region1
  br label %after

region1.done:                                     ; preds = %region1.end
  br label %region2

after:                                            ; preds = %region1.work_item
  store i32 0, ptr %8, align 4, !llvm.access.group !4
  br label %loop

loop:                                             ; preds = %after
  br label %exit3

exit3:                                            ; preds = %loop
  br label %region1.end

region1.end:                                      ; preds = %exit3
  br label %region1.done

region2.z:                                        ; preds = %region2.z_latch, %region2
  %z4 = phi i32 [ 0, %region2 ], [ %50, %region2.z_latch ]
  br label %region2.y

region2.y:                                        ; preds = %region2.y_latch, %region2.z
  %y5 = phi i32 [ 0, %region2.z ], [ %48, %region2.y_latch ]
  br label %region2.work_item

region2.work_item:                                ; preds = %region2.end, %region2.y
  %x6 = phi i32 [ 0, %region2.y ], [ %46, %region2.end ]
  %29 = zext nneg i32 %x6 to i64
  %30 = zext nneg i32 %y5 to i64
  %31 = zext nneg i32 %z4 to i64
  %32 = mul nuw nsw i64 %31, 1
  %33 = add nuw nsw i64 %32, %30
  %34 = mul nuw nsw i64 %33, 16
  %35 = add nuw nsw i64 %34, %29
  %36 = mul nuw nsw i64 %35, 4
  %37 = getelementptr inbounds i8, ptr %10, i64 %36
  %38 = mul nuw nsw i64 %35, 4
  %39 = getelementptr inbounds i8, ptr %11, i64 %38
  %40 = load float, ptr %37, align 4, !llvm.access.group !5
  store float %40, ptr %register, align 4
  %41 = load float, ptr %39, align 4, !llvm.access.group !5
  store float %41, ptr %register1, align 4
  br label %after1

region2.done:                                     ; preds = %region2.z_latch
  br label %region3

after1:                                           ; preds = %region2.work_item
  %42 = load float, ptr %register1, align 4
  %43 = load i32, ptr %8, align 4, !llvm.access.group !5
  %place = getelementptr float, ptr addrspace(1) %5, i32 %43
  %value = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !5
  %more = fadd float %42, %value
  store float %more, ptr %register, align 4
  store float %more, ptr %register1, align 4
  br label %exit7

exit7:                                            ; preds = %after1
  %44 = load float, ptr %register, align 4
  store float %44, ptr %37, align 4, !llvm.access.group !5
  %45 = load float, ptr %register1, align 4
  store float %45, ptr %39, align 4, !llvm.access.group !5
  br label %region2.end

region2.end:                                      ; preds = %exit7
  %46 = add nuw nsw i32 %x6, 1
  %47 = icmp ult i32 %46, 16
  br i1 %47, label %region2.work_item, label %region2.y_latch, !llvm.loop !6

region2.y_latch:                                  ; preds = %region2.end
  %48 = add nuw nsw i32 %y5, 1
  %49 = icmp ult i32 %48, 1
  br i1 %49, label %region2.y, label %region2.z_latch

region2.z_latch:                                  ; preds = %region2.y_latch
  %50 = add nuw nsw i32 %z4, 1
  %51 = icmp ult i32 %50, 1
  br i1 %51, label %region2.z, label %region2.done

region3.work_item:                                ; preds = %region3
  br label %after3

region3.done:                                     ; preds = %region3.end
  %52 = load i32, ptr %next, align 4
  switch i32 %52, label %region2 [
    i32 1, label %region4
  ]

loop9:                                            ; preds = %after3
  br label %exit10

after3:                                           ; preds = %region3.work_item
  %53 = load i32, ptr %8, align 4, !llvm.access.group !8
  %54 = add i32 %53, 1
  %55 = icmp slt i32 %54, %7
  store i32 %54, ptr %8, align 4, !llvm.access.group !8
  br i1 %55, label %loop9, label %done

done:                                             ; preds = %after3
  br label %exit11

exit10:                                           ; preds = %loop9
  store i32 0, ptr %next, align 4
  br label %region3.end

exit11:                                           ; preds = %done
  store i32 1, ptr %next, align 4
  br label %region3.end

region3.end:                                      ; preds = %exit11, %exit10
  br label %region3.done

region4.z:                                        ; preds = %region4.z_latch, %region4
  %z12 = phi i32 [ 0, %region4 ], [ %71, %region4.z_latch ]
  br label %region4.y

region4.y:                                        ; preds = %region4.y_latch, %region4.z
  %y13 = phi i32 [ 0, %region4.z ], [ %69, %region4.y_latch ]
  br label %region4.work_item

region4.work_item:                                ; preds = %region4.end, %region4.y
  %x14 = phi i32 [ 0, %region4.y ], [ %67, %region4.end ]
  %56 = zext nneg i32 %x14 to i64
  %57 = zext nneg i32 %y13 to i64
  %58 = zext nneg i32 %z12 to i64
  %59 = mul nuw nsw i64 %58, 1
  %60 = add nuw nsw i64 %59, %57
  %61 = mul nuw nsw i64 %60, 16
  %62 = add nuw nsw i64 %61, %56
  %63 = mul nuw nsw i64 %62, 4
  %64 = getelementptr inbounds i8, ptr %10, i64 %63
  %65 = load float, ptr %64, align 4, !llvm.access.group !9
  store float %65, ptr %register, align 4
  br label %after5

region4.done:                                     ; preds = %region4.z_latch
  br label %return

after5:                                           ; preds = %region4.work_item
  %out = getelementptr float, ptr addrspace(1) %5, i64 %56
  %66 = load float, ptr %register, align 4
  store float %66, ptr addrspace(1) %out, align 4, !llvm.access.group !9
  br label %exit15

exit15:                                           ; preds = %after5
  br label %region4.end

region4.end:                                      ; preds = %exit15
  %67 = add nuw nsw i32 %x14, 1
  %68 = icmp ult i32 %67, 16
  br i1 %68, label %region4.work_item, label %region4.y_latch, !llvm.loop !10

region4.y_latch:                                  ; preds = %region4.end
  %69 = add nuw nsw i32 %y13, 1
  %70 = icmp ult i32 %69, 1
  br i1 %70, label %region4.y, label %region4.z_latch

region4.z_latch:                                  ; preds = %region4.y_latch
  %71 = add nuw nsw i32 %z12, 1
  %72 = icmp ult i32 %71, 1
  br i1 %72, label %region4.z, label %region4.done

return:                                           ; preds = %region4.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
!4 = distinct !{}
!5 = distinct !{}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.parallel_accesses", !5}
!8 = distinct !{}
!9 = distinct !{}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.parallel_accesses", !9}
