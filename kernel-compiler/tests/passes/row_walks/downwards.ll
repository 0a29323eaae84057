; The counter and with it the addresses decrease: the vector that lanes load and store ends where they are.
; lanes: 4
define void @k(ptr addrspace(1) %a, i64 %pitch, i64 %first) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i64 [ %first, %item ], [ %j.next, %loop ]
  %at = add i64 %row, %j
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %twice = fadd double %value, %value
  store double %twice, ptr addrspace(1) %here, align 8
  %j.next = add nsw i64 %j, -1
  %again = icmp sgt i64 %j, 2
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
define void @k(ptr addrspace(1) %a, i64 %pitch, i64 %first) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = icmp sge i64 %first, 2
  %1 = sub i64 %first, 2
  %2 = add i64 %1, 1
  %3 = and i1 %0, true
  %4 = icmp uge i64 %2, 16
  %5 = and i1 %3, %4
  %6 = add i64 %row, %first
  %7 = getelementptr double, ptr addrspace(1) %a, i64 %6
  br i1 %5, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %8 = phi i64 [ 0, %row_walk ], [ %102, %steps ]
  %9 = phi i64 [ %first, %row_walk ], [ %94, %steps ]
  %10 = add i64 %8, 3
  %11 = mul i64 %10, -8
  %12 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %11
  %13 = load <4 x double>, ptr addrspace(1) %12, align 8
  %14 = extractelement <4 x double> %13, i64 3
  %15 = fadd double %14, %14
  %16 = add nsw i64 %9, -1
  %17 = extractelement <4 x double> %13, i64 2
  %18 = fadd double %17, %17
  %19 = add nsw i64 %16, -1
  %20 = extractelement <4 x double> %13, i64 1
  %21 = fadd double %20, %20
  %22 = add nsw i64 %19, -1
  %23 = extractelement <4 x double> %13, i64 0
  %24 = fadd double %23, %23
  %25 = add nsw i64 %22, -1
  %26 = insertelement <4 x double> poison, double %15, i64 3
  %27 = insertelement <4 x double> %26, double %18, i64 2
  %28 = insertelement <4 x double> %27, double %21, i64 1
  %29 = insertelement <4 x double> %28, double %24, i64 0
  %30 = add i64 %8, 3
  %31 = mul i64 %30, -8
  %32 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %31
  store <4 x double> %29, ptr addrspace(1) %32, align 8
  %33 = add i64 %8, 7
  %34 = mul i64 %33, -8
  %35 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %34
  %36 = load <4 x double>, ptr addrspace(1) %35, align 8
  %37 = extractelement <4 x double> %36, i64 3
  %38 = fadd double %37, %37
  %39 = add nsw i64 %25, -1
  %40 = extractelement <4 x double> %36, i64 2
  %41 = fadd double %40, %40
  %42 = add nsw i64 %39, -1
  %43 = extractelement <4 x double> %36, i64 1
  %44 = fadd double %43, %43
  %45 = add nsw i64 %42, -1
  %46 = extractelement <4 x double> %36, i64 0
  %47 = fadd double %46, %46
  %48 = add nsw i64 %45, -1
  %49 = insertelement <4 x double> poison, double %38, i64 3
  %50 = insertelement <4 x double> %49, double %41, i64 2
  %51 = insertelement <4 x double> %50, double %44, i64 1
  %52 = insertelement <4 x double> %51, double %47, i64 0
  %53 = add i64 %8, 7
  %54 = mul i64 %53, -8
  %55 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %54
  store <4 x double> %52, ptr addrspace(1) %55, align 8
  %56 = add i64 %8, 11
  %57 = mul i64 %56, -8
  %58 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %57
  %59 = load <4 x double>, ptr addrspace(1) %58, align 8
  %60 = extractelement <4 x double> %59, i64 3
  %61 = fadd double %60, %60
  %62 = add nsw i64 %48, -1
  %63 = extractelement <4 x double> %59, i64 2
  %64 = fadd double %63, %63
  %65 = add nsw i64 %62, -1
  %66 = extractelement <4 x double> %59, i64 1
  %67 = fadd double %66, %66
  %68 = add nsw i64 %65, -1
  %69 = extractelement <4 x double> %59, i64 0
  %70 = fadd double %69, %69
  %71 = add nsw i64 %68, -1
  %72 = insertelement <4 x double> poison, double %61, i64 3
  %73 = insertelement <4 x double> %72, double %64, i64 2
  %74 = insertelement <4 x double> %73, double %67, i64 1
  %75 = insertelement <4 x double> %74, double %70, i64 0
  %76 = add i64 %8, 11
  %77 = mul i64 %76, -8
  %78 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %77
  store <4 x double> %75, ptr addrspace(1) %78, align 8
  %79 = add i64 %8, 15
  %80 = mul i64 %79, -8
  %81 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %80
  %82 = load <4 x double>, ptr addrspace(1) %81, align 8
  %83 = extractelement <4 x double> %82, i64 3
  %84 = fadd double %83, %83
  %85 = add nsw i64 %71, -1
  %86 = extractelement <4 x double> %82, i64 2
  %87 = fadd double %86, %86
  %88 = add nsw i64 %85, -1
  %89 = extractelement <4 x double> %82, i64 1
  %90 = fadd double %89, %89
  %91 = add nsw i64 %88, -1
  %92 = extractelement <4 x double> %82, i64 0
  %93 = fadd double %92, %92
  %94 = add nsw i64 %91, -1
  %95 = insertelement <4 x double> poison, double %84, i64 3
  %96 = insertelement <4 x double> %95, double %87, i64 2
  %97 = insertelement <4 x double> %96, double %90, i64 1
  %98 = insertelement <4 x double> %97, double %93, i64 0
  %99 = add i64 %8, 15
  %100 = mul i64 %99, -8
  %101 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %100
  store <4 x double> %98, ptr addrspace(1) %101, align 8
  %102 = add i64 %8, 16
  %103 = sub i64 %2, %102
  %104 = icmp uge i64 %103, 16
  br i1 %104, label %steps, label %steps.end, !mocl3.row_walk !0, !mocl3.independent !0

steps.end:                                        ; preds = %steps
  %105 = and i64 %2, 15
  %106 = icmp eq i64 %105, 0
  br i1 %106, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %107 = phi i64 [ %first, %row_walk ], [ %94, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %108 = phi i64 [ %107, %rest ], [ %j.next, %loop ]
  %at = add i64 %row, %108
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %twice = fadd double %value, %value
  store double %twice, ptr addrspace(1) %here, align 8
  %j.next = add nsw i64 %108, -1
  %again = icmp sgt i64 %108, 2
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
