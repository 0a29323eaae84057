; Each lane walks along a row: a version of the loop loads four elements of it at once. What lanes share is loaded as
; before, and so is what is consecutive.
; lanes: 8
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %x, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i64 [ 0, %item ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %item ], [ %sum.next, %loop ]
  %at = add i64 %row, %j
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %a.at, align 4
  %x.at = getelementptr float, ptr addrspace(1) %x, i64 %j
  %factor = load float, ptr addrspace(1) %x.at, align 4
  %product = fmul float %factor, %value
  %sum.next = fadd float %sum, %product
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end

end:
  %result = phi float [ %sum.next, %loop ]
  %to = getelementptr float, ptr addrspace(1) %x, i64 %wide
  store float %result, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %x, i64 %pitch, i64 %n) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = icmp sgt i64 %n, 0
  %1 = sub i64 %n, 0
  %2 = and i1 %0, true
  %3 = icmp uge i64 %1, 16
  %4 = and i1 %2, %3
  %5 = add i64 %row, 0
  %6 = getelementptr float, ptr addrspace(1) %a, i64 %5
  br i1 %4, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %7 = phi i64 [ 0, %row_walk ], [ %122, %steps ]
  %8 = phi i64 [ 0, %row_walk ], [ %121, %steps ]
  %9 = phi float [ 0.000000e+00, %row_walk ], [ %120, %steps ]
  %10 = add i64 %7, 0
  %11 = mul i64 %10, 4
  %12 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %11
  %13 = load <4 x float>, ptr addrspace(1) %12, align 4
  %14 = extractelement <4 x float> %13, i64 0
  %15 = getelementptr float, ptr addrspace(1) %x, i64 %8
  %16 = load float, ptr addrspace(1) %15, align 4
  %17 = fmul float %16, %14
  %18 = fadd float %9, %17
  %19 = add nuw nsw i64 %8, 1
  %20 = extractelement <4 x float> %13, i64 1
  %21 = getelementptr float, ptr addrspace(1) %x, i64 %19
  %22 = load float, ptr addrspace(1) %21, align 4
  %23 = fmul float %22, %20
  %24 = fadd float %18, %23
  %25 = add nuw nsw i64 %19, 1
  %26 = extractelement <4 x float> %13, i64 2
  %27 = getelementptr float, ptr addrspace(1) %x, i64 %25
  %28 = load float, ptr addrspace(1) %27, align 4
  %29 = fmul float %28, %26
  %30 = fadd float %24, %29
  %31 = add nuw nsw i64 %25, 1
  %32 = extractelement <4 x float> %13, i64 3
  %33 = getelementptr float, ptr addrspace(1) %x, i64 %31
  %34 = load float, ptr addrspace(1) %33, align 4
  %35 = fmul float %34, %32
  %36 = fadd float %30, %35
  %37 = add nuw nsw i64 %31, 1
  %38 = add i64 %7, 4
  %39 = mul i64 %38, 4
  %40 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %39
  %41 = load <4 x float>, ptr addrspace(1) %40, align 4
  %42 = extractelement <4 x float> %41, i64 0
  %43 = getelementptr float, ptr addrspace(1) %x, i64 %37
  %44 = load float, ptr addrspace(1) %43, align 4
  %45 = fmul float %44, %42
  %46 = fadd float %36, %45
  %47 = add nuw nsw i64 %37, 1
  %48 = extractelement <4 x float> %41, i64 1
  %49 = getelementptr float, ptr addrspace(1) %x, i64 %47
  %50 = load float, ptr addrspace(1) %49, align 4
  %51 = fmul float %50, %48
  %52 = fadd float %46, %51
  %53 = add nuw nsw i64 %47, 1
  %54 = extractelement <4 x float> %41, i64 2
  %55 = getelementptr float, ptr addrspace(1) %x, i64 %53
  %56 = load float, ptr addrspace(1) %55, align 4
  %57 = fmul float %56, %54
  %58 = fadd float %52, %57
  %59 = add nuw nsw i64 %53, 1
  %60 = extractelement <4 x float> %41, i64 3
  %61 = getelementptr float, ptr addrspace(1) %x, i64 %59
  %62 = load float, ptr addrspace(1) %61, align 4
  %63 = fmul float %62, %60
  %64 = fadd float %58, %63
  %65 = add nuw nsw i64 %59, 1
  %66 = add i64 %7, 8
  %67 = mul i64 %66, 4
  %68 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %67
  %69 = load <4 x float>, ptr addrspace(1) %68, align 4
  %70 = extractelement <4 x float> %69, i64 0
  %71 = getelementptr float, ptr addrspace(1) %x, i64 %65
  %72 = load float, ptr addrspace(1) %71, align 4
  %73 = fmul float %72, %70
  %74 = fadd float %64, %73
  %75 = add nuw nsw i64 %65, 1
  %76 = extractelement <4 x float> %69, i64 1
  %77 = getelementptr float, ptr addrspace(1) %x, i64 %75
  %78 = load float, ptr addrspace(1) %77, align 4
  %79 = fmul float %78, %76
  %80 = fadd float %74, %79
  %81 = add nuw nsw i64 %75, 1
  %82 = extractelement <4 x float> %69, i64 2
  %83 = getelementptr float, ptr addrspace(1) %x, i64 %81
  %84 = load float, ptr addrspace(1) %83, align 4
  %85 = fmul float %84, %82
  %86 = fadd float %80, %85
  %87 = add nuw nsw i64 %81, 1
  %88 = extractelement <4 x float> %69, i64 3
  %89 = getelementptr float, ptr addrspace(1) %x, i64 %87
  %90 = load float, ptr addrspace(1) %89, align 4
  %91 = fmul float %90, %88
  %92 = fadd float %86, %91
  %93 = add nuw nsw i64 %87, 1
  %94 = add i64 %7, 12
  %95 = mul i64 %94, 4
  %96 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %95
  %97 = load <4 x float>, ptr addrspace(1) %96, align 4
  %98 = extractelement <4 x float> %97, i64 0
  %99 = getelementptr float, ptr addrspace(1) %x, i64 %93
  %100 = load float, ptr addrspace(1) %99, align 4
  %101 = fmul float %100, %98
  %102 = fadd float %92, %101
  %103 = add nuw nsw i64 %93, 1
  %104 = extractelement <4 x float> %97, i64 1
  %105 = getelementptr float, ptr addrspace(1) %x, i64 %103
  %106 = load float, ptr addrspace(1) %105, align 4
  %107 = fmul float %106, %104
  %108 = fadd float %102, %107
  %109 = add nuw nsw i64 %103, 1
  %110 = extractelement <4 x float> %97, i64 2
  %111 = getelementptr float, ptr addrspace(1) %x, i64 %109
  %112 = load float, ptr addrspace(1) %111, align 4
  %113 = fmul float %112, %110
  %114 = fadd float %108, %113
  %115 = add nuw nsw i64 %109, 1
  %116 = extractelement <4 x float> %97, i64 3
  %117 = getelementptr float, ptr addrspace(1) %x, i64 %115
  %118 = load float, ptr addrspace(1) %117, align 4
  %119 = fmul float %118, %116
  %120 = fadd float %114, %119
  %121 = add nuw nsw i64 %115, 1
  %122 = add i64 %7, 16
  %123 = sub i64 %1, %122
  %124 = icmp uge i64 %123, 16
  br i1 %124, label %steps, label %steps.end, !mocl3.row_walk !0

steps.end:                                        ; preds = %steps
  %125 = and i64 %1, 15
  %126 = icmp eq i64 %125, 0
  br i1 %126, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %127 = phi i64 [ 0, %row_walk ], [ %121, %steps.end ]
  %128 = phi float [ 0.000000e+00, %row_walk ], [ %120, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %129 = phi i64 [ %127, %rest ], [ %j.next, %loop ]
  %130 = phi float [ %128, %rest ], [ %sum.next, %loop ]
  %at = add i64 %row, %129
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %a.at, align 4
  %x.at = getelementptr float, ptr addrspace(1) %x, i64 %129
  %factor = load float, ptr addrspace(1) %x.at, align 4
  %product = fmul float %factor, %value
  %sum.next = fadd float %130, %product
  %j.next = add nuw nsw i64 %129, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %result = phi float [ %sum.next, %loop ], [ %120, %steps.end ]
  %to = getelementptr float, ptr addrspace(1) %x, i64 %wide
  store float %result, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
