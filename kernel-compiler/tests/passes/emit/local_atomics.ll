; Atomic operations on local memory become plain ones that are not reordered with those of other work-items; those on global memory stay atomic.
; local size: 16,1,1
define spir_kernel void @k(ptr addrspace(3) %l, ptr addrspace(1) %g) {
entry:
  %old = atomicrmw add ptr addrspace(3) %l, i32 1 seq_cst
  %least = atomicrmw umin ptr addrspace(3) %l, i32 %old seq_cst
  %pair = cmpxchg ptr addrspace(3) %l, i32 %least, i32 7 seq_cst seq_cst
  %seen = extractvalue { i32, i1 } %pair, 0
  %global = atomicrmw add ptr addrspace(1) %g, i32 %seen seq_cst
  ret void
}

; ==== after ====
; regions: 1, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

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

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %24, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %22, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %20, %region0.end ]
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %10 = load i32, ptr addrspace(3) %7, align 4
  %11 = add i32 %10, 1
  store i32 %11, ptr addrspace(3) %7, align 4
  %12 = load i32, ptr addrspace(3) %7, align 4
  %13 = icmp ult i32 %12, %10
  %14 = select i1 %13, i32 %12, i32 %10
  store i32 %14, ptr addrspace(3) %7, align 4
  %15 = load i32, ptr addrspace(3) %7, align 4
  %16 = icmp eq i32 %15, %12
  %17 = select i1 %16, i32 7, i32 %15
  %18 = insertvalue { i32, i1 } poison, i32 %15, 0
  %19 = insertvalue { i32, i1 } %18, i1 %16, 1
  store i32 %17, ptr addrspace(3) %7, align 4
  %seen = extractvalue { i32, i1 } %19, 0
  %global = atomicrmw add ptr addrspace(1) %9, i32 %seen seq_cst, align 4
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %20 = add nuw nsw i32 %x, 1
  %21 = icmp ult i32 %20, 16
  br i1 %21, label %region0.work_item, label %region0.y_latch, !llvm.loop !1

region0.y_latch:                                  ; preds = %region0.end
  %22 = add nuw nsw i32 %y, 1
  %23 = icmp ult i32 %22, 1
  br i1 %23, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %24 = add nuw nsw i32 %z, 1
  %25 = icmp ult i32 %24, 1
  br i1 %25, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !3}
!3 = distinct !{}
