; Each argument is loaded from its offset in the block. A local pointer is an offset from local memory; a struct is used in place.
; local size: 16,1,1
%struct.pair = type { i64, i32 }

define spir_kernel void @k(ptr addrspace(3) %local, i8 %byte, <4 x float> %vector, ptr byval(%struct.pair) align 8 %pair) !kernel_arg_addr_space !0 {
entry:
  %x = load i64, ptr %pair
  store i64 %x, ptr addrspace(3) %local
  %place = getelementptr i8, ptr addrspace(3) %local, i64 16
  store <4 x float> %vector, ptr addrspace(3) %place
  store i8 %byte, ptr addrspace(3) %local
  ret void
}

!0 = !{i32 3, i32 0, i32 0, i32 0}

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
  %9 = load i8, ptr %8, align 1, !invariant.load !0
  %10 = getelementptr inbounds i8, ptr %0, i64 16
  %11 = load <4 x float>, ptr %10, align 16, !invariant.load !0
  %12 = getelementptr inbounds i8, ptr %0, i64 32
  br label %region0

region0:                                          ; preds = %entry
  br label %region0.z

region0.z:                                        ; preds = %region0.z_latch, %region0
  %z = phi i32 [ 0, %region0 ], [ %17, %region0.z_latch ]
  br label %region0.y

region0.y:                                        ; preds = %region0.y_latch, %region0.z
  %y = phi i32 [ 0, %region0.z ], [ %15, %region0.y_latch ]
  br label %region0.work_item

region0.work_item:                                ; preds = %region0.end, %region0.y
  %x = phi i32 [ 0, %region0.y ], [ %13, %region0.end ]
  br label %entry1

region0.done:                                     ; preds = %region0.z_latch
  br label %return

entry1:                                           ; preds = %region0.work_item
  %x2 = load i64, ptr %12, align 4, !llvm.access.group !1
  store i64 %x2, ptr addrspace(3) %7, align 4, !llvm.access.group !1
  %place = getelementptr i8, ptr addrspace(3) %7, i64 16
  store <4 x float> %11, ptr addrspace(3) %place, align 16, !llvm.access.group !1
  store i8 %9, ptr addrspace(3) %7, align 1, !llvm.access.group !1
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  %13 = add nuw nsw i32 %x, 1
  %14 = icmp ult i32 %13, 16
  br i1 %14, label %region0.work_item, label %region0.y_latch, !llvm.loop !2

region0.y_latch:                                  ; preds = %region0.end
  %15 = add nuw nsw i32 %y, 1
  %16 = icmp ult i32 %15, 1
  br i1 %16, label %region0.y, label %region0.z_latch

region0.z_latch:                                  ; preds = %region0.y_latch
  %17 = add nuw nsw i32 %z, 1
  %18 = icmp ult i32 %17, 1
  br i1 %18, label %region0.z, label %region0.done

return:                                           ; preds = %region0.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
