; A work-item computes a row of a product of matrices: four elements at once, with one loop over the sums. Where the inner
; loop is skipped, the nest stays as it is.
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
  %c.at = getelementptr float, ptr addrspace(1) %c, i64 %j
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
  br label %jam

jam:                                              ; preds = %entry
  %0 = icmp sgt i64 %m, 0
  %1 = icmp eq i1 %0, true
  %2 = sub i64 %n, 0
  %3 = icmp sgt i64 %n, 0
  %4 = icmp uge i64 %2, 4
  %5 = and i1 %1, %3
  %6 = and i1 %5, true
  %7 = and i1 %6, %4
  br i1 %7, label %jam.fore, label %rest

jam.fore:                                         ; preds = %jam.aft, %jam
  %8 = phi i64 [ 0, %jam ], [ %12, %jam.aft ]
  %9 = add nuw nsw i64 %8, 1
  %10 = add nuw nsw i64 %9, 1
  %11 = add nuw nsw i64 %10, 1
  %12 = add nuw nsw i64 %11, 1
  %13 = icmp sgt i64 %m, 0
  %14 = getelementptr float, ptr addrspace(1) %b, i64 %8
  %15 = getelementptr float, ptr addrspace(1) %b, i64 %9
  %16 = getelementptr float, ptr addrspace(1) %b, i64 %10
  %17 = getelementptr float, ptr addrspace(1) %b, i64 %11
  br label %jam.inner

jam.inner:                                        ; preds = %jam.inner, %jam.fore
  %18 = phi i64 [ 0, %jam.fore ], [ %42, %jam.inner ]
  %19 = phi float [ 0.000000e+00, %jam.fore ], [ %38, %jam.inner ]
  %20 = phi float [ 0.000000e+00, %jam.fore ], [ %39, %jam.inner ]
  %21 = phi float [ 0.000000e+00, %jam.fore ], [ %40, %jam.inner ]
  %22 = phi float [ 0.000000e+00, %jam.fore ], [ %41, %jam.inner ]
  %23 = getelementptr float, ptr addrspace(1) %a, i64 %18
  %24 = load float, ptr addrspace(1) %23, align 4
  %25 = mul i64 %18, %n
  %26 = getelementptr float, ptr addrspace(1) %14, i64 %25
  %27 = getelementptr float, ptr addrspace(1) %15, i64 %25
  %28 = getelementptr float, ptr addrspace(1) %16, i64 %25
  %29 = getelementptr float, ptr addrspace(1) %17, i64 %25
  %30 = load float, ptr addrspace(1) %26, align 4
  %31 = load float, ptr addrspace(1) %27, align 4
  %32 = load float, ptr addrspace(1) %28, align 4
  %33 = load float, ptr addrspace(1) %29, align 4
  %34 = fmul float %24, %30
  %35 = fmul float %24, %31
  %36 = fmul float %24, %32
  %37 = fmul float %24, %33
  %38 = fadd float %19, %34
  %39 = fadd float %20, %35
  %40 = fadd float %21, %36
  %41 = fadd float %22, %37
  %42 = add nuw nsw i64 %18, 1
  %43 = icmp slt i64 %42, %m
  br i1 %43, label %jam.inner, label %jam.aft

jam.aft:                                          ; preds = %jam.inner
  %44 = getelementptr float, ptr addrspace(1) %c, i64 %8
  store float %38, ptr addrspace(1) %44, align 4
  %45 = icmp slt i64 %9, %n
  %46 = getelementptr float, ptr addrspace(1) %c, i64 %9
  store float %39, ptr addrspace(1) %46, align 4
  %47 = icmp slt i64 %10, %n
  %48 = getelementptr float, ptr addrspace(1) %c, i64 %10
  store float %40, ptr addrspace(1) %48, align 4
  %49 = icmp slt i64 %11, %n
  %50 = getelementptr float, ptr addrspace(1) %c, i64 %11
  store float %41, ptr addrspace(1) %50, align 4
  %51 = icmp slt i64 %12, %n
  %52 = sub i64 %n, %12
  %53 = icmp uge i64 %52, 4
  br i1 %53, label %jam.fore, label %jam.end

jam.end:                                          ; preds = %jam.aft
  %54 = icmp eq i64 %52, 0
  br i1 %54, label %done, label %rest

rest:                                             ; preds = %jam.end, %jam
  %55 = phi i64 [ 0, %jam ], [ %12, %jam.end ]
  br label %column

column:                                           ; preds = %rest, %store
  %56 = phi i64 [ %55, %rest ], [ %j.next, %store ]
  %guard = icmp sgt i64 %m, 0
  br i1 %guard, label %first, label %store

first:                                            ; preds = %column
  %b.column = getelementptr float, ptr addrspace(1) %b, i64 %56
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
  %c.at = getelementptr float, ptr addrspace(1) %c, i64 %56
  store float %result, ptr addrspace(1) %c.at, align 4
  %j.next = add nuw nsw i64 %56, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %column, label %done, !mocl3.remainder !0

done:                                             ; preds = %jam.end, %store
  ret void
}

!0 = !{}
