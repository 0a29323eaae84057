; Later iterations load what earlier ones store: to the same object, or not known to which.
; separate objects
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %m) {
entry:
  br label %column

column:
  %j = phi i64 [ 0, %entry ], [ %j.next, %store ]
  %guard = icmp sgt i64 %m, 0
  br i1 %guard, label %first, label %store

first:
  %b.column = getelementptr float, ptr addrspace(1) %b, i64 %j
  br label %sums

sums:
  %k = phi i64 [ 0, %first ], [ %k.next, %sums ]
  %sum = phi float [ 0.0, %first ], [ %sum.next, %sums ]
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %a.at, align 4
  %row = mul i64 %k, %n
  %b.at = getelementptr float, ptr addrspace(1) %b.column, i64 %row
  %y = load float, ptr addrspace(1) %b.at, align 4
  %product = fmul float %x, %y
  %sum.next = fadd float %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %m
  br i1 %k.more, label %sums, label %summed

summed:
  %all = phi float [ %sum.next, %sums ]
  br label %store

store:
  %result = phi float [ 0.0, %column ], [ %all, %summed ]
  %c.at = getelementptr float, ptr addrspace(1) %b, i64 %j
  store float %result, ptr addrspace(1) %c.at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %column, label %done

done:
  ret void
}

; ==== after ====
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %m) {
entry:
  br label %column

column:                                           ; preds = %store, %entry
  %j = phi i64 [ 0, %entry ], [ %j.next, %store ]
  %guard = icmp sgt i64 %m, 0
  br i1 %guard, label %first, label %store

first:                                            ; preds = %column
  %b.column = getelementptr float, ptr addrspace(1) %b, i64 %j
  br label %sums

sums:                                             ; preds = %sums, %first
  %k = phi i64 [ 0, %first ], [ %k.next, %sums ]
  %sum = phi float [ 0.000000e+00, %first ], [ %sum.next, %sums ]
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %a.at, align 4
  %row = mul i64 %k, %n
  %b.at = getelementptr float, ptr addrspace(1) %b.column, i64 %row
  %y = load float, ptr addrspace(1) %b.at, align 4
  %product = fmul float %x, %y
  %sum.next = fadd float %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %m
  br i1 %k.more, label %sums, label %summed

summed:                                           ; preds = %sums
  %all = phi float [ %sum.next, %sums ]
  br label %store

store:                                            ; preds = %summed, %column
  %result = phi float [ 0.000000e+00, %column ], [ %all, %summed ]
  %c.at = getelementptr float, ptr addrspace(1) %b, i64 %j
  store float %result, ptr addrspace(1) %c.at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %column, label %done

done:                                             ; preds = %store
  ret void
}
