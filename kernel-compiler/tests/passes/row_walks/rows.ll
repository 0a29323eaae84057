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
  %0 = sub i64 %n, 0
  %1 = icmp sgt i64 %n, 0
  %2 = icmp uge i64 %0, 16
  %3 = and i1 %1, true
  %4 = and i1 %3, %2
  %5 = add i64 %row, 0
  %6 = getelementptr float, ptr addrspace(1) %a, i64 %5
  %7 = mul i64 %0, 4
  br i1 %4, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %8 = phi i64 [ 0, %row_walk ], [ %123, %steps ]
  %9 = phi i64 [ 0, %row_walk ], [ %122, %steps ]
  %10 = phi float [ 0.000000e+00, %row_walk ], [ %121, %steps ]
  %11 = add i64 %8, 0
  %12 = mul i64 %11, 4
  %13 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %12
  %14 = load <4 x float>, ptr addrspace(1) %13, align 4
  %15 = extractelement <4 x float> %14, i64 0
  %16 = getelementptr float, ptr addrspace(1) %x, i64 %9
  %17 = load float, ptr addrspace(1) %16, align 4
  %18 = fmul float %17, %15
  %19 = fadd float %10, %18
  %20 = add nuw nsw i64 %9, 1
  %21 = extractelement <4 x float> %14, i64 1
  %22 = getelementptr float, ptr addrspace(1) %x, i64 %20
  %23 = load float, ptr addrspace(1) %22, align 4
  %24 = fmul float %23, %21
  %25 = fadd float %19, %24
  %26 = add nuw nsw i64 %20, 1
  %27 = extractelement <4 x float> %14, i64 2
  %28 = getelementptr float, ptr addrspace(1) %x, i64 %26
  %29 = load float, ptr addrspace(1) %28, align 4
  %30 = fmul float %29, %27
  %31 = fadd float %25, %30
  %32 = add nuw nsw i64 %26, 1
  %33 = extractelement <4 x float> %14, i64 3
  %34 = getelementptr float, ptr addrspace(1) %x, i64 %32
  %35 = load float, ptr addrspace(1) %34, align 4
  %36 = fmul float %35, %33
  %37 = fadd float %31, %36
  %38 = add nuw nsw i64 %32, 1
  %39 = add i64 %8, 4
  %40 = mul i64 %39, 4
  %41 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %40
  %42 = load <4 x float>, ptr addrspace(1) %41, align 4
  %43 = extractelement <4 x float> %42, i64 0
  %44 = getelementptr float, ptr addrspace(1) %x, i64 %38
  %45 = load float, ptr addrspace(1) %44, align 4
  %46 = fmul float %45, %43
  %47 = fadd float %37, %46
  %48 = add nuw nsw i64 %38, 1
  %49 = extractelement <4 x float> %42, i64 1
  %50 = getelementptr float, ptr addrspace(1) %x, i64 %48
  %51 = load float, ptr addrspace(1) %50, align 4
  %52 = fmul float %51, %49
  %53 = fadd float %47, %52
  %54 = add nuw nsw i64 %48, 1
  %55 = extractelement <4 x float> %42, i64 2
  %56 = getelementptr float, ptr addrspace(1) %x, i64 %54
  %57 = load float, ptr addrspace(1) %56, align 4
  %58 = fmul float %57, %55
  %59 = fadd float %53, %58
  %60 = add nuw nsw i64 %54, 1
  %61 = extractelement <4 x float> %42, i64 3
  %62 = getelementptr float, ptr addrspace(1) %x, i64 %60
  %63 = load float, ptr addrspace(1) %62, align 4
  %64 = fmul float %63, %61
  %65 = fadd float %59, %64
  %66 = add nuw nsw i64 %60, 1
  %67 = add i64 %8, 8
  %68 = mul i64 %67, 4
  %69 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %68
  %70 = load <4 x float>, ptr addrspace(1) %69, align 4
  %71 = extractelement <4 x float> %70, i64 0
  %72 = getelementptr float, ptr addrspace(1) %x, i64 %66
  %73 = load float, ptr addrspace(1) %72, align 4
  %74 = fmul float %73, %71
  %75 = fadd float %65, %74
  %76 = add nuw nsw i64 %66, 1
  %77 = extractelement <4 x float> %70, i64 1
  %78 = getelementptr float, ptr addrspace(1) %x, i64 %76
  %79 = load float, ptr addrspace(1) %78, align 4
  %80 = fmul float %79, %77
  %81 = fadd float %75, %80
  %82 = add nuw nsw i64 %76, 1
  %83 = extractelement <4 x float> %70, i64 2
  %84 = getelementptr float, ptr addrspace(1) %x, i64 %82
  %85 = load float, ptr addrspace(1) %84, align 4
  %86 = fmul float %85, %83
  %87 = fadd float %81, %86
  %88 = add nuw nsw i64 %82, 1
  %89 = extractelement <4 x float> %70, i64 3
  %90 = getelementptr float, ptr addrspace(1) %x, i64 %88
  %91 = load float, ptr addrspace(1) %90, align 4
  %92 = fmul float %91, %89
  %93 = fadd float %87, %92
  %94 = add nuw nsw i64 %88, 1
  %95 = add i64 %8, 12
  %96 = mul i64 %95, 4
  %97 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %96
  %98 = load <4 x float>, ptr addrspace(1) %97, align 4
  %99 = extractelement <4 x float> %98, i64 0
  %100 = getelementptr float, ptr addrspace(1) %x, i64 %94
  %101 = load float, ptr addrspace(1) %100, align 4
  %102 = fmul float %101, %99
  %103 = fadd float %93, %102
  %104 = add nuw nsw i64 %94, 1
  %105 = extractelement <4 x float> %98, i64 1
  %106 = getelementptr float, ptr addrspace(1) %x, i64 %104
  %107 = load float, ptr addrspace(1) %106, align 4
  %108 = fmul float %107, %105
  %109 = fadd float %103, %108
  %110 = add nuw nsw i64 %104, 1
  %111 = extractelement <4 x float> %98, i64 2
  %112 = getelementptr float, ptr addrspace(1) %x, i64 %110
  %113 = load float, ptr addrspace(1) %112, align 4
  %114 = fmul float %113, %111
  %115 = fadd float %109, %114
  %116 = add nuw nsw i64 %110, 1
  %117 = extractelement <4 x float> %98, i64 3
  %118 = getelementptr float, ptr addrspace(1) %x, i64 %116
  %119 = load float, ptr addrspace(1) %118, align 4
  %120 = fmul float %119, %117
  %121 = fadd float %115, %120
  %122 = add nuw nsw i64 %116, 1
  %123 = add i64 %8, 16
  %124 = sub i64 %0, %123
  %125 = icmp uge i64 %124, 16
  br i1 %125, label %steps, label %steps.end

steps.end:                                        ; preds = %steps
  %126 = and i64 %0, 15
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %128 = phi i64 [ 0, %row_walk ], [ %122, %steps.end ]
  %129 = phi float [ 0.000000e+00, %row_walk ], [ %121, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %130 = phi i64 [ %128, %rest ], [ %j.next, %loop ]
  %131 = phi float [ %129, %rest ], [ %sum.next, %loop ]
  %at = add i64 %row, %130
  %a.at = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %a.at, align 4
  %x.at = getelementptr float, ptr addrspace(1) %x, i64 %130
  %factor = load float, ptr addrspace(1) %x.at, align 4
  %product = fmul float %factor, %value
  %sum.next = fadd float %131, %product
  %j.next = add nuw nsw i64 %130, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %result = phi float [ %sum.next, %loop ], [ %121, %steps.end ]
  %to = getelementptr float, ptr addrspace(1) %x, i64 %wide
  store float %result, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
