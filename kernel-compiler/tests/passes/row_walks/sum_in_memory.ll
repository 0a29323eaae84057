; Lanes store their sums in each iteration: there are several elements at once if no lane's sum is in its row.
; lanes: 8
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %sums, i32 %pitch, i32 %first, i32 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %sums, i64 %wide
  %before = load float, ptr addrspace(1) %to, align 4
  br label %loop

loop:
  %j = phi i32 [ %first, %item ], [ %j.next, %loop ]
  %sum = phi float [ %before, %item ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %pitch
  %at = add nsw i32 %row, %j
  %index = sext i32 %at to i64
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %a.at, align 4
  %sum.next = fadd float %sum, %value
  store float %sum.next, ptr addrspace(1) %to, align 4
  %j.next = add nsw i32 %j, 1
  %is_last = icmp eq i32 %j.next, %n
  br i1 %is_last, label %end, label %loop

end:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %sums, i32 %pitch, i32 %first, i32 %n) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %sums, i64 %wide
  %before = load float, ptr addrspace(1) %to, align 4
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = icmp sgt i32 %n, %first
  %1 = icmp sge i32 %first, 0
  %2 = sub i32 %n, %first
  %3 = and i1 %0, %1
  %4 = icmp uge i32 %2, 16
  %5 = and i1 %3, %4
  %6 = mul nsw i32 %i, %pitch
  %7 = add nsw i32 %6, %first
  %8 = sext i32 %7 to i64
  %9 = getelementptr float, ptr addrspace(1) %a, i64 %8
  %10 = zext i32 %2 to i64
  %11 = getelementptr i8, ptr addrspace(1) %to, i64 4
  %12 = icmp ule ptr addrspace(1) %11, %9
  %13 = mul i64 %10, 4
  %14 = getelementptr i8, ptr addrspace(1) %9, i64 %13
  %15 = icmp ule ptr addrspace(1) %14, %to
  %16 = or i1 %12, %15
  %17 = freeze i1 %16, !mocl3.all_lanes !0
  %18 = and i1 %5, %17
  br i1 %18, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %19 = phi i32 [ 0, %row_walk ], [ %90, %steps ]
  %20 = phi i32 [ %first, %row_walk ], [ %89, %steps ]
  %21 = phi float [ %before, %row_walk ], [ %88, %steps ]
  %22 = zext nneg i32 %19 to i64
  %23 = add i64 %22, 0
  %24 = mul i64 %23, 4
  %25 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %24
  %26 = load <4 x float>, ptr addrspace(1) %25, align 4
  %27 = extractelement <4 x float> %26, i64 0
  %28 = fadd float %21, %27
  store float %28, ptr addrspace(1) %to, align 4
  %29 = add nsw i32 %20, 1
  %30 = extractelement <4 x float> %26, i64 1
  %31 = fadd float %28, %30
  store float %31, ptr addrspace(1) %to, align 4
  %32 = add nsw i32 %29, 1
  %33 = extractelement <4 x float> %26, i64 2
  %34 = fadd float %31, %33
  store float %34, ptr addrspace(1) %to, align 4
  %35 = add nsw i32 %32, 1
  %36 = extractelement <4 x float> %26, i64 3
  %37 = fadd float %34, %36
  store float %37, ptr addrspace(1) %to, align 4
  %38 = add nsw i32 %35, 1
  %39 = zext nneg i32 %19 to i64
  %40 = add i64 %39, 4
  %41 = mul i64 %40, 4
  %42 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %41
  %43 = load <4 x float>, ptr addrspace(1) %42, align 4
  %44 = extractelement <4 x float> %43, i64 0
  %45 = fadd float %37, %44
  store float %45, ptr addrspace(1) %to, align 4
  %46 = add nsw i32 %38, 1
  %47 = extractelement <4 x float> %43, i64 1
  %48 = fadd float %45, %47
  store float %48, ptr addrspace(1) %to, align 4
  %49 = add nsw i32 %46, 1
  %50 = extractelement <4 x float> %43, i64 2
  %51 = fadd float %48, %50
  store float %51, ptr addrspace(1) %to, align 4
  %52 = add nsw i32 %49, 1
  %53 = extractelement <4 x float> %43, i64 3
  %54 = fadd float %51, %53
  store float %54, ptr addrspace(1) %to, align 4
  %55 = add nsw i32 %52, 1
  %56 = zext nneg i32 %19 to i64
  %57 = add i64 %56, 8
  %58 = mul i64 %57, 4
  %59 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %58
  %60 = load <4 x float>, ptr addrspace(1) %59, align 4
  %61 = extractelement <4 x float> %60, i64 0
  %62 = fadd float %54, %61
  store float %62, ptr addrspace(1) %to, align 4
  %63 = add nsw i32 %55, 1
  %64 = extractelement <4 x float> %60, i64 1
  %65 = fadd float %62, %64
  store float %65, ptr addrspace(1) %to, align 4
  %66 = add nsw i32 %63, 1
  %67 = extractelement <4 x float> %60, i64 2
  %68 = fadd float %65, %67
  store float %68, ptr addrspace(1) %to, align 4
  %69 = add nsw i32 %66, 1
  %70 = extractelement <4 x float> %60, i64 3
  %71 = fadd float %68, %70
  store float %71, ptr addrspace(1) %to, align 4
  %72 = add nsw i32 %69, 1
  %73 = zext nneg i32 %19 to i64
  %74 = add i64 %73, 12
  %75 = mul i64 %74, 4
  %76 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %75
  %77 = load <4 x float>, ptr addrspace(1) %76, align 4
  %78 = extractelement <4 x float> %77, i64 0
  %79 = fadd float %71, %78
  store float %79, ptr addrspace(1) %to, align 4
  %80 = add nsw i32 %72, 1
  %81 = extractelement <4 x float> %77, i64 1
  %82 = fadd float %79, %81
  store float %82, ptr addrspace(1) %to, align 4
  %83 = add nsw i32 %80, 1
  %84 = extractelement <4 x float> %77, i64 2
  %85 = fadd float %82, %84
  store float %85, ptr addrspace(1) %to, align 4
  %86 = add nsw i32 %83, 1
  %87 = extractelement <4 x float> %77, i64 3
  %88 = fadd float %85, %87
  store float %88, ptr addrspace(1) %to, align 4
  %89 = add nsw i32 %86, 1
  %90 = add i32 %19, 16
  %91 = sub i32 %2, %90
  %92 = icmp uge i32 %91, 16
  br i1 %92, label %steps, label %steps.end, !mocl3.row_walk !0

steps.end:                                        ; preds = %steps
  %93 = and i32 %2, 15
  %94 = icmp eq i32 %93, 0
  br i1 %94, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %95 = phi i32 [ %first, %row_walk ], [ %89, %steps.end ]
  %96 = phi float [ %before, %row_walk ], [ %88, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %97 = phi i32 [ %95, %rest ], [ %j.next, %loop ]
  %98 = phi float [ %96, %rest ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %pitch
  %at = add nsw i32 %row, %97
  %index = sext i32 %at to i64
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %a.at, align 4
  %sum.next = fadd float %98, %value
  store float %sum.next, ptr addrspace(1) %to, align 4
  %j.next = add nsw i32 %97, 1
  %is_last = icmp eq i32 %j.next, %n
  br i1 %is_last, label %end, label %loop, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
