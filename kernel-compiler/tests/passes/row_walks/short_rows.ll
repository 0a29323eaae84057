; Each lane stores a row of a constant length. LLVM does not vectorise so short a loop in scalar code: its version is not marked as
; independent.
; lanes: 8
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch) {
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
  %again = icmp ult i64 %j.next, 48
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
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %pitch) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = add i64 %row, 0
  %1 = getelementptr float, ptr addrspace(1) %a, i64 %0
  %2 = getelementptr float, ptr addrspace(1) %b, i64 %0
  %3 = getelementptr i8, ptr addrspace(1) %1, i64 1
  %4 = icmp ult ptr addrspace(1) %2, %3
  %5 = getelementptr i8, ptr addrspace(1) %1, i64 63
  %6 = icmp ugt ptr addrspace(1) %2, %5
  %7 = or i1 %4, %6
  %8 = freeze i1 %7, !mocl3.all_lanes !0
  %9 = and i1 true, %8
  br i1 %9, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %10 = phi i64 [ 0, %row_walk ], [ %104, %steps ]
  %11 = phi i64 [ 0, %row_walk ], [ %96, %steps ]
  %12 = add i64 %10, 0
  %13 = mul i64 %12, 4
  %14 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %13
  %15 = load <4 x float>, ptr addrspace(1) %14, align 4
  %16 = extractelement <4 x float> %15, i64 0
  %17 = fadd float %16, %16
  %18 = add nuw nsw i64 %11, 1
  %19 = extractelement <4 x float> %15, i64 1
  %20 = fadd float %19, %19
  %21 = add nuw nsw i64 %18, 1
  %22 = extractelement <4 x float> %15, i64 2
  %23 = fadd float %22, %22
  %24 = add nuw nsw i64 %21, 1
  %25 = extractelement <4 x float> %15, i64 3
  %26 = fadd float %25, %25
  %27 = add nuw nsw i64 %24, 1
  %28 = insertelement <4 x float> poison, float %17, i64 0
  %29 = insertelement <4 x float> %28, float %20, i64 1
  %30 = insertelement <4 x float> %29, float %23, i64 2
  %31 = insertelement <4 x float> %30, float %26, i64 3
  %32 = add i64 %10, 0
  %33 = mul i64 %32, 4
  %34 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %33
  store <4 x float> %31, ptr addrspace(1) %34, align 4
  %35 = add i64 %10, 4
  %36 = mul i64 %35, 4
  %37 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %36
  %38 = load <4 x float>, ptr addrspace(1) %37, align 4
  %39 = extractelement <4 x float> %38, i64 0
  %40 = fadd float %39, %39
  %41 = add nuw nsw i64 %27, 1
  %42 = extractelement <4 x float> %38, i64 1
  %43 = fadd float %42, %42
  %44 = add nuw nsw i64 %41, 1
  %45 = extractelement <4 x float> %38, i64 2
  %46 = fadd float %45, %45
  %47 = add nuw nsw i64 %44, 1
  %48 = extractelement <4 x float> %38, i64 3
  %49 = fadd float %48, %48
  %50 = add nuw nsw i64 %47, 1
  %51 = insertelement <4 x float> poison, float %40, i64 0
  %52 = insertelement <4 x float> %51, float %43, i64 1
  %53 = insertelement <4 x float> %52, float %46, i64 2
  %54 = insertelement <4 x float> %53, float %49, i64 3
  %55 = add i64 %10, 4
  %56 = mul i64 %55, 4
  %57 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %56
  store <4 x float> %54, ptr addrspace(1) %57, align 4
  %58 = add i64 %10, 8
  %59 = mul i64 %58, 4
  %60 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %59
  %61 = load <4 x float>, ptr addrspace(1) %60, align 4
  %62 = extractelement <4 x float> %61, i64 0
  %63 = fadd float %62, %62
  %64 = add nuw nsw i64 %50, 1
  %65 = extractelement <4 x float> %61, i64 1
  %66 = fadd float %65, %65
  %67 = add nuw nsw i64 %64, 1
  %68 = extractelement <4 x float> %61, i64 2
  %69 = fadd float %68, %68
  %70 = add nuw nsw i64 %67, 1
  %71 = extractelement <4 x float> %61, i64 3
  %72 = fadd float %71, %71
  %73 = add nuw nsw i64 %70, 1
  %74 = insertelement <4 x float> poison, float %63, i64 0
  %75 = insertelement <4 x float> %74, float %66, i64 1
  %76 = insertelement <4 x float> %75, float %69, i64 2
  %77 = insertelement <4 x float> %76, float %72, i64 3
  %78 = add i64 %10, 8
  %79 = mul i64 %78, 4
  %80 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %79
  store <4 x float> %77, ptr addrspace(1) %80, align 4
  %81 = add i64 %10, 12
  %82 = mul i64 %81, 4
  %83 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %82
  %84 = load <4 x float>, ptr addrspace(1) %83, align 4
  %85 = extractelement <4 x float> %84, i64 0
  %86 = fadd float %85, %85
  %87 = add nuw nsw i64 %73, 1
  %88 = extractelement <4 x float> %84, i64 1
  %89 = fadd float %88, %88
  %90 = add nuw nsw i64 %87, 1
  %91 = extractelement <4 x float> %84, i64 2
  %92 = fadd float %91, %91
  %93 = add nuw nsw i64 %90, 1
  %94 = extractelement <4 x float> %84, i64 3
  %95 = fadd float %94, %94
  %96 = add nuw nsw i64 %93, 1
  %97 = insertelement <4 x float> poison, float %86, i64 0
  %98 = insertelement <4 x float> %97, float %89, i64 1
  %99 = insertelement <4 x float> %98, float %92, i64 2
  %100 = insertelement <4 x float> %99, float %95, i64 3
  %101 = add i64 %10, 12
  %102 = mul i64 %101, 4
  %103 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %102
  store <4 x float> %100, ptr addrspace(1) %103, align 4
  %104 = add i64 %10, 16
  %105 = sub i64 48, %104
  %106 = icmp uge i64 %105, 16
  br i1 %106, label %steps, label %steps.end, !mocl3.row_walk !0

steps.end:                                        ; preds = %steps
  br i1 true, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %107 = phi i64 [ 0, %row_walk ], [ %96, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %108 = phi i64 [ %107, %rest ], [ %j.next, %loop ]
  %at = add i64 %row, %108
  %from = getelementptr float, ptr addrspace(1) %a, i64 %at
  %value = load float, ptr addrspace(1) %from, align 4
  %twice = fadd float %value, %value
  %to = getelementptr float, ptr addrspace(1) %b, i64 %at
  store float %twice, ptr addrspace(1) %to, align 4
  %j.next = add nuw nsw i64 %108, 1
  %again = icmp ult i64 %j.next, 48
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
