; A transfer is executed once, outside the loops over the work-items.
; local size: 16,1,1
declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

define spir_kernel void @k(ptr addrspace(3) %to, ptr addrspace(1) %from) {
entry:
  %a = addrspacecast ptr addrspace(3) %to to ptr
  %b = addrspacecast ptr addrspace(1) %from to ptr
  call void @__mocl3_dma_transfer(ptr %a, i64 4, ptr %b, i64 4, i64 4, i64 1)
  ret void
}

; ==== after ====
; regions: 2, interchanged loops: 0
; local memory: 0 bytes
; private memory: 0 bytes of each item, 0 of the group; needed: 0 kept, 0 transient
; loops over items are innermost: true

declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)

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
  br label %region0.work_item

region1:                                          ; preds = %region0.done
  br label %region1.work_item

region0.work_item:                                ; preds = %region0
  br label %entry1

region0.done:                                     ; preds = %region0.end
  br label %region1

entry1:                                           ; preds = %region0.work_item
  br label %exit

exit:                                             ; preds = %entry1
  br label %region0.end

region0.end:                                      ; preds = %exit
  br label %region0.done

region1.work_item:                                ; preds = %region1
  br label %after1

region1.done:                                     ; preds = %region1.end
  br label %return

after1:                                           ; preds = %region1.work_item
  %10 = addrspacecast ptr addrspace(3) %7 to ptr
  %11 = addrspacecast ptr addrspace(1) %9 to ptr
  call void @__mocl3_dma_transfer(ptr %10, i64 4, ptr %11, i64 4, i64 4, i64 1)
  br label %exit2

exit2:                                            ; preds = %after1
  br label %region1.end

region1.end:                                      ; preds = %exit2
  br label %region1.done

return:                                           ; preds = %region1.done
  ret void
}

attributes #0 = { nounwind "mocl3-small-objects" }

!0 = !{}
