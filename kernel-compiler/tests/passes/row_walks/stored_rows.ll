; Each lane stores a row: four elements at once, behind those that are loaded at once. No lane's rows may overlap, unless they
; begin together.
; lanes: 8
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i64 [ 0, %item ], [ %j.next, %loop ]
  %at = add i64 %row, %j
  %from = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %from, align 4
  %twice = fadd float %value, %value
  %to = getelementptr float, ptr addrspace(1) %b, i64 %at
  store float %twice, ptr addrspace(1) %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end

end:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch, i64 %n) {
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
  %7 = getelementptr float, ptr addrspace(1) %b, i64 %5
  %8 = getelementptr i8, ptr addrspace(1) %6, i64 1
  %9 = icmp ult ptr addrspace(1) %7, %8
  %10 = getelementptr i8, ptr addrspace(1) %6, i64 63
  %11 = icmp ugt ptr addrspace(1) %7, %10
  %12 = or i1 %9, %11
  %13 = freeze i1 %12, !mocl3.all_lanes !0
  %14 = and i1 %4, %13
  br i1 %14, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %15 = phi i64 [ 0, %row_walk ], [ %109, %steps ]
  %16 = phi i64 [ 0, %row_walk ], [ %101, %steps ]
  %17 = add i64 %15, 0
  %18 = mul i64 %17, 4
  %19 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %18
  %20 = load <4 x float>, ptr addrspace(1) %19, align 4
  %21 = extractelement <4 x float> %20, i64 0
  %22 = fadd float %21, %21
  %23 = add nuw nsw i64 %16, 1
  %24 = extractelement <4 x float> %20, i64 1
  %25 = fadd float %24, %24
  %26 = add nuw nsw i64 %23, 1
  %27 = extractelement <4 x float> %20, i64 2
  %28 = fadd float %27, %27
  %29 = add nuw nsw i64 %26, 1
  %30 = extractelement <4 x float> %20, i64 3
  %31 = fadd float %30, %30
  %32 = add nuw nsw i64 %29, 1
  %33 = insertelement <4 x float> poison, float %22, i64 0
  %34 = insertelement <4 x float> %33, float %25, i64 1
  %35 = insertelement <4 x float> %34, float %28, i64 2
  %36 = insertelement <4 x float> %35, float %31, i64 3
  %37 = add i64 %15, 0
  %38 = mul i64 %37, 4
  %39 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %38
  store <4 x float> %36, ptr addrspace(1) %39, align 4
  %40 = add i64 %15, 4
  %41 = mul i64 %40, 4
  %42 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %41
  %43 = load <4 x float>, ptr addrspace(1) %42, align 4
  %44 = extractelement <4 x float> %43, i64 0
  %45 = fadd float %44, %44
  %46 = add nuw nsw i64 %32, 1
  %47 = extractelement <4 x float> %43, i64 1
  %48 = fadd float %47, %47
  %49 = add nuw nsw i64 %46, 1
  %50 = extractelement <4 x float> %43, i64 2
  %51 = fadd float %50, %50
  %52 = add nuw nsw i64 %49, 1
  %53 = extractelement <4 x float> %43, i64 3
  %54 = fadd float %53, %53
  %55 = add nuw nsw i64 %52, 1
  %56 = insertelement <4 x float> poison, float %45, i64 0
  %57 = insertelement <4 x float> %56, float %48, i64 1
  %58 = insertelement <4 x float> %57, float %51, i64 2
  %59 = insertelement <4 x float> %58, float %54, i64 3
  %60 = add i64 %15, 4
  %61 = mul i64 %60, 4
  %62 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %61
  store <4 x float> %59, ptr addrspace(1) %62, align 4
  %63 = add i64 %15, 8
  %64 = mul i64 %63, 4
  %65 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %64
  %66 = load <4 x float>, ptr addrspace(1) %65, align 4
  %67 = extractelement <4 x float> %66, i64 0
  %68 = fadd float %67, %67
  %69 = add nuw nsw i64 %55, 1
  %70 = extractelement <4 x float> %66, i64 1
  %71 = fadd float %70, %70
  %72 = add nuw nsw i64 %69, 1
  %73 = extractelement <4 x float> %66, i64 2
  %74 = fadd float %73, %73
  %75 = add nuw nsw i64 %72, 1
  %76 = extractelement <4 x float> %66, i64 3
  %77 = fadd float %76, %76
  %78 = add nuw nsw i64 %75, 1
  %79 = insertelement <4 x float> poison, float %68, i64 0
  %80 = insertelement <4 x float> %79, float %71, i64 1
  %81 = insertelement <4 x float> %80, float %74, i64 2
  %82 = insertelement <4 x float> %81, float %77, i64 3
  %83 = add i64 %15, 8
  %84 = mul i64 %83, 4
  %85 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %84
  store <4 x float> %82, ptr addrspace(1) %85, align 4
  %86 = add i64 %15, 12
  %87 = mul i64 %86, 4
  %88 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %87
  %89 = load <4 x float>, ptr addrspace(1) %88, align 4
  %90 = extractelement <4 x float> %89, i64 0
  %91 = fadd float %90, %90
  %92 = add nuw nsw i64 %78, 1
  %93 = extractelement <4 x float> %89, i64 1
  %94 = fadd float %93, %93
  %95 = add nuw nsw i64 %92, 1
  %96 = extractelement <4 x float> %89, i64 2
  %97 = fadd float %96, %96
  %98 = add nuw nsw i64 %95, 1
  %99 = extractelement <4 x float> %89, i64 3
  %100 = fadd float %99, %99
  %101 = add nuw nsw i64 %98, 1
  %102 = insertelement <4 x float> poison, float %91, i64 0
  %103 = insertelement <4 x float> %102, float %94, i64 1
  %104 = insertelement <4 x float> %103, float %97, i64 2
  %105 = insertelement <4 x float> %104, float %100, i64 3
  %106 = add i64 %15, 12
  %107 = mul i64 %106, 4
  %108 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %107
  store <4 x float> %105, ptr addrspace(1) %108, align 4
  %109 = add i64 %15, 16
  %110 = sub i64 %1, %109
  %111 = icmp uge i64 %110, 16
  br i1 %111, label %steps, label %steps.end, !mocl3.row_walk !0, !mocl3.independent !0

steps.end:                                        ; preds = %steps
  %112 = and i64 %1, 15
  %113 = icmp eq i64 %112, 0
  br i1 %113, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %114 = phi i64 [ 0, %row_walk ], [ %101, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %115 = phi i64 [ %114, %rest ], [ %j.next, %loop ]
  %at = add i64 %row, %115
  %from = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %from, align 4
  %twice = fadd float %value, %value
  %to = getelementptr float, ptr addrspace(1) %b, i64 %at
  store float %twice, ptr addrspace(1) %to, align 4
  %j.next = add nuw nsw i64 %115, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
