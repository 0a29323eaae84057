; A loop that carries more than 256 bytes per work-item is not interchanged.
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <64 x double> [ zeroinitializer, %entry ], [ %more, %loop ]
  %value = load <64 x double>, ptr addrspace(1) %p
  %more = fadd <64 x double> %sum, %value
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  store <64 x double> %more, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; loops interchanged: 0
; per item: nothing
; shared: nothing

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <64 x double> [ zeroinitializer, %entry ], [ %more, %loop ]
  %value = load <64 x double>, ptr addrspace(1) %p, align 512
  %more = fadd <64 x double> %sum, %value
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop
  store <64 x double> %more, ptr addrspace(1) %p, align 512
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
