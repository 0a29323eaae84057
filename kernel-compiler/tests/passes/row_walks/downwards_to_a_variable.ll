; The last number of the counter is one below the limit: the loop compares a number before it counts down.
; lanes: 4
define void @k(ptr addrspace(1) %a, i64 %pitch, i32 %first, i32 %limit) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i32 [ %first, %item ], [ %j.next, %loop ]
  %j.wide = sext i32 %j to i64
  %at = add i64 %row, %j.wide
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %twice = fadd double %value, %value
  store double %twice, ptr addrspace(1) %here, align 8
  %j.next = add nsw i32 %j, -1
  %again = icmp sge i32 %j, %limit
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
define void @k(ptr addrspace(1) %a, i64 %pitch, i32 %first, i32 %limit) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = add i32 %limit, -1
  %1 = icmp sge i32 %first, %0
  %2 = icmp sge i32 %0, 0
  %3 = sub i32 %first, %0
  %4 = add i32 %3, 1
  %5 = and i1 %1, %2
  %6 = icmp uge i32 %4, 16
  %7 = and i1 %5, %6
  %8 = sext i32 %first to i64
  %9 = add i64 %row, %8
  %10 = getelementptr double, ptr addrspace(1) %a, i64 %9
  %11 = zext i32 %4 to i64
  br i1 %7, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %12 = phi i32 [ 0, %row_walk ], [ %114, %steps ]
  %13 = phi i32 [ %first, %row_walk ], [ %105, %steps ]
  %14 = zext nneg i32 %12 to i64
  %15 = add i64 %14, 3
  %16 = mul i64 %15, -8
  %17 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %16
  %18 = load <4 x double>, ptr addrspace(1) %17, align 8
  %19 = extractelement <4 x double> %18, i64 3
  %20 = fadd double %19, %19
  %21 = add nsw i32 %13, -1
  %22 = extractelement <4 x double> %18, i64 2
  %23 = fadd double %22, %22
  %24 = add nsw i32 %21, -1
  %25 = extractelement <4 x double> %18, i64 1
  %26 = fadd double %25, %25
  %27 = add nsw i32 %24, -1
  %28 = extractelement <4 x double> %18, i64 0
  %29 = fadd double %28, %28
  %30 = add nsw i32 %27, -1
  %31 = insertelement <4 x double> poison, double %20, i64 3
  %32 = insertelement <4 x double> %31, double %23, i64 2
  %33 = insertelement <4 x double> %32, double %26, i64 1
  %34 = insertelement <4 x double> %33, double %29, i64 0
  %35 = zext nneg i32 %12 to i64
  %36 = add i64 %35, 3
  %37 = mul i64 %36, -8
  %38 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %37
  store <4 x double> %34, ptr addrspace(1) %38, align 8
  %39 = zext nneg i32 %12 to i64
  %40 = add i64 %39, 7
  %41 = mul i64 %40, -8
  %42 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %41
  %43 = load <4 x double>, ptr addrspace(1) %42, align 8
  %44 = extractelement <4 x double> %43, i64 3
  %45 = fadd double %44, %44
  %46 = add nsw i32 %30, -1
  %47 = extractelement <4 x double> %43, i64 2
  %48 = fadd double %47, %47
  %49 = add nsw i32 %46, -1
  %50 = extractelement <4 x double> %43, i64 1
  %51 = fadd double %50, %50
  %52 = add nsw i32 %49, -1
  %53 = extractelement <4 x double> %43, i64 0
  %54 = fadd double %53, %53
  %55 = add nsw i32 %52, -1
  %56 = insertelement <4 x double> poison, double %45, i64 3
  %57 = insertelement <4 x double> %56, double %48, i64 2
  %58 = insertelement <4 x double> %57, double %51, i64 1
  %59 = insertelement <4 x double> %58, double %54, i64 0
  %60 = zext nneg i32 %12 to i64
  %61 = add i64 %60, 7
  %62 = mul i64 %61, -8
  %63 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %62
  store <4 x double> %59, ptr addrspace(1) %63, align 8
  %64 = zext nneg i32 %12 to i64
  %65 = add i64 %64, 11
  %66 = mul i64 %65, -8
  %67 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %66
  %68 = load <4 x double>, ptr addrspace(1) %67, align 8
  %69 = extractelement <4 x double> %68, i64 3
  %70 = fadd double %69, %69
  %71 = add nsw i32 %55, -1
  %72 = extractelement <4 x double> %68, i64 2
  %73 = fadd double %72, %72
  %74 = add nsw i32 %71, -1
  %75 = extractelement <4 x double> %68, i64 1
  %76 = fadd double %75, %75
  %77 = add nsw i32 %74, -1
  %78 = extractelement <4 x double> %68, i64 0
  %79 = fadd double %78, %78
  %80 = add nsw i32 %77, -1
  %81 = insertelement <4 x double> poison, double %70, i64 3
  %82 = insertelement <4 x double> %81, double %73, i64 2
  %83 = insertelement <4 x double> %82, double %76, i64 1
  %84 = insertelement <4 x double> %83, double %79, i64 0
  %85 = zext nneg i32 %12 to i64
  %86 = add i64 %85, 11
  %87 = mul i64 %86, -8
  %88 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %87
  store <4 x double> %84, ptr addrspace(1) %88, align 8
  %89 = zext nneg i32 %12 to i64
  %90 = add i64 %89, 15
  %91 = mul i64 %90, -8
  %92 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %91
  %93 = load <4 x double>, ptr addrspace(1) %92, align 8
  %94 = extractelement <4 x double> %93, i64 3
  %95 = fadd double %94, %94
  %96 = add nsw i32 %80, -1
  %97 = extractelement <4 x double> %93, i64 2
  %98 = fadd double %97, %97
  %99 = add nsw i32 %96, -1
  %100 = extractelement <4 x double> %93, i64 1
  %101 = fadd double %100, %100
  %102 = add nsw i32 %99, -1
  %103 = extractelement <4 x double> %93, i64 0
  %104 = fadd double %103, %103
  %105 = add nsw i32 %102, -1
  %106 = insertelement <4 x double> poison, double %95, i64 3
  %107 = insertelement <4 x double> %106, double %98, i64 2
  %108 = insertelement <4 x double> %107, double %101, i64 1
  %109 = insertelement <4 x double> %108, double %104, i64 0
  %110 = zext nneg i32 %12 to i64
  %111 = add i64 %110, 15
  %112 = mul i64 %111, -8
  %113 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %112
  store <4 x double> %109, ptr addrspace(1) %113, align 8
  %114 = add i32 %12, 16
  %115 = sub i32 %4, %114
  %116 = icmp uge i32 %115, 16
  br i1 %116, label %steps, label %steps.end, !mocl3.row_walk !0, !mocl3.independent !0

steps.end:                                        ; preds = %steps
  %117 = and i32 %4, 15
  %118 = icmp eq i32 %117, 0
  br i1 %118, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %119 = phi i32 [ %first, %row_walk ], [ %105, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %120 = phi i32 [ %119, %rest ], [ %j.next, %loop ]
  %j.wide = sext i32 %120 to i64
  %at = add i64 %row, %j.wide
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %twice = fadd double %value, %value
  store double %twice, ptr addrspace(1) %here, align 8
  %j.next = add nsw i32 %120, -1
  %again = icmp sge i32 %120, %limit
  br i1 %again, label %loop, label %end, !mocl3.remainder !0

end:                                              ; preds = %steps.end, %loop
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:                                             ; preds = %end
  ret void
}

!0 = !{}
