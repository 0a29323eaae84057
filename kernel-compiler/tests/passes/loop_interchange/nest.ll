; If interchanging an inner loop is profitable, the loops around it are interchanged as well.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner.preheader
inner.preheader:
  br label %inner
inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner ]
  %x = load float, ptr addrspace(1) %place
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %place
  %j.next = add i32 %j, 1
  %j.again = icmp slt i32 %j.next, %n
  br i1 %j.again, label %inner, label %inner.exit
inner.exit:
  br label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %i.again = icmp slt i32 %i.next, %n
  br i1 %i.again, label %outer, label %done
done:
  ret void
}

; ==== after ====
; loops interchanged: 2
; per item: nothing
; shared: %shared.j %shared.i

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %shared.i = alloca i32, align 4
  %shared.j = alloca i32, align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %id
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 0, ptr %shared.i, align 4
  br label %outer

outer:                                            ; preds = %outer.latch, %entry
  call void @__mocl3_barrier()
  %0 = load i32, ptr %shared.i, align 4
  br label %inner.preheader

inner.preheader:                                  ; preds = %outer
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  store i32 0, ptr %shared.j, align 4
  br label %inner

inner:                                            ; preds = %inner, %inner.preheader
  call void @__mocl3_barrier()
  %1 = load i32, ptr %shared.j, align 4
  %x = load float, ptr addrspace(1) %place, align 4
  %y = fadd float %x, 1.000000e+00
  store float %y, ptr addrspace(1) %place, align 4
  %2 = load i32, ptr %shared.j, align 4
  %j.next = add i32 %2, 1
  %j.again = icmp slt i32 %j.next, %n
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %3 = load i32, ptr %shared.j, align 4
  %4 = add i32 %3, 1
  %5 = icmp slt i32 %4, %n
  store i32 %4, ptr %shared.j, align 4
  br i1 %5, label %inner, label %inner.exit

inner.exit:                                       ; preds = %inner
  call void @__mocl3_barrier()
  br label %outer.latch

outer.latch:                                      ; preds = %inner.exit
  %6 = load i32, ptr %shared.i, align 4
  %i.next = add i32 %6, 1
  %i.again = icmp slt i32 %i.next, %n
  call void @__mocl3_barrier()
  call void @__mocl3_once()
  %7 = load i32, ptr %shared.i, align 4
  %8 = add i32 %7, 1
  %9 = icmp slt i32 %8, %n
  store i32 %8, ptr %shared.i, align 4
  br i1 %9, label %outer, label %done

done:                                             ; preds = %outer.latch
  call void @__mocl3_barrier()
  ret void
}

declare void @__mocl3_barrier()

declare void @__mocl3_once()
