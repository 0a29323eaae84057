; The element of the last iteration is not loaded again: it is what that iteration has stored.
; lanes: 4
define void @k(ptr addrspace(1) %a, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i64 [ 1, %item ], [ %j.next, %loop ]
  %at = add i64 %row, %j
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %before = getelementptr i8, ptr addrspace(1) %here, i64 -8
  %last = load double, ptr addrspace(1) %before, align 8
  %sum = fadd double %value, %last
  store double %sum, ptr addrspace(1) %here, align 8
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
define void @k(ptr addrspace(1) %a, i64 %pitch, i64 %n) {
entry:
  br label %item

item:                                             ; preds = %end, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %row_walk

row_walk:                                         ; preds = %item
  %0 = icmp sgt i64 %n, 1
  %1 = sub i64 %n, 1
  %2 = and i1 %0, true
  %3 = icmp uge i64 %1, 16
  %4 = and i1 %2, %3
  %5 = add i64 %row, 1
  %6 = getelementptr double, ptr addrspace(1) %a, i64 %5
  %7 = getelementptr i8, ptr addrspace(1) %6, i64 -8
  %8 = load double, ptr addrspace(1) %7, align 8
  br i1 %4, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %9 = phi i64 [ 0, %row_walk ], [ %104, %steps ]
  %10 = phi i64 [ 1, %row_walk ], [ %96, %steps ]
  %11 = phi double [ %8, %row_walk ], [ %95, %steps ]
  %12 = add i64 %9, 0
  %13 = mul i64 %12, 8
  %14 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %13
  %15 = load <4 x double>, ptr addrspace(1) %14, align 8
  %16 = extractelement <4 x double> %15, i64 0
  %17 = fadd double %16, %11
  %18 = add nuw nsw i64 %10, 1
  %19 = extractelement <4 x double> %15, i64 1
  %20 = fadd double %19, %17
  %21 = add nuw nsw i64 %18, 1
  %22 = extractelement <4 x double> %15, i64 2
  %23 = fadd double %22, %20
  %24 = add nuw nsw i64 %21, 1
  %25 = extractelement <4 x double> %15, i64 3
  %26 = fadd double %25, %23
  %27 = add nuw nsw i64 %24, 1
  %28 = insertelement <4 x double> poison, double %17, i64 0
  %29 = insertelement <4 x double> %28, double %20, i64 1
  %30 = insertelement <4 x double> %29, double %23, i64 2
  %31 = insertelement <4 x double> %30, double %26, i64 3
  %32 = add i64 %9, 0
  %33 = mul i64 %32, 8
  %34 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %33
  store <4 x double> %31, ptr addrspace(1) %34, align 8
  %35 = add i64 %9, 4
  %36 = mul i64 %35, 8
  %37 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %36
  %38 = load <4 x double>, ptr addrspace(1) %37, align 8
  %39 = extractelement <4 x double> %38, i64 0
  %40 = fadd double %39, %26
  %41 = add nuw nsw i64 %27, 1
  %42 = extractelement <4 x double> %38, i64 1
  %43 = fadd double %42, %40
  %44 = add nuw nsw i64 %41, 1
  %45 = extractelement <4 x double> %38, i64 2
  %46 = fadd double %45, %43
  %47 = add nuw nsw i64 %44, 1
  %48 = extractelement <4 x double> %38, i64 3
  %49 = fadd double %48, %46
  %50 = add nuw nsw i64 %47, 1
  %51 = insertelement <4 x double> poison, double %40, i64 0
  %52 = insertelement <4 x double> %51, double %43, i64 1
  %53 = insertelement <4 x double> %52, double %46, i64 2
  %54 = insertelement <4 x double> %53, double %49, i64 3
  %55 = add i64 %9, 4
  %56 = mul i64 %55, 8
  %57 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %56
  store <4 x double> %54, ptr addrspace(1) %57, align 8
  %58 = add i64 %9, 8
  %59 = mul i64 %58, 8
  %60 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %59
  %61 = load <4 x double>, ptr addrspace(1) %60, align 8
  %62 = extractelement <4 x double> %61, i64 0
  %63 = fadd double %62, %49
  %64 = add nuw nsw i64 %50, 1
  %65 = extractelement <4 x double> %61, i64 1
  %66 = fadd double %65, %63
  %67 = add nuw nsw i64 %64, 1
  %68 = extractelement <4 x double> %61, i64 2
  %69 = fadd double %68, %66
  %70 = add nuw nsw i64 %67, 1
  %71 = extractelement <4 x double> %61, i64 3
  %72 = fadd double %71, %69
  %73 = add nuw nsw i64 %70, 1
  %74 = insertelement <4 x double> poison, double %63, i64 0
  %75 = insertelement <4 x double> %74, double %66, i64 1
  %76 = insertelement <4 x double> %75, double %69, i64 2
  %77 = insertelement <4 x double> %76, double %72, i64 3
  %78 = add i64 %9, 8
  %79 = mul i64 %78, 8
  %80 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %79
  store <4 x double> %77, ptr addrspace(1) %80, align 8
  %81 = add i64 %9, 12
  %82 = mul i64 %81, 8
  %83 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %82
  %84 = load <4 x double>, ptr addrspace(1) %83, align 8
  %85 = extractelement <4 x double> %84, i64 0
  %86 = fadd double %85, %72
  %87 = add nuw nsw i64 %73, 1
  %88 = extractelement <4 x double> %84, i64 1
  %89 = fadd double %88, %86
  %90 = add nuw nsw i64 %87, 1
  %91 = extractelement <4 x double> %84, i64 2
  %92 = fadd double %91, %89
  %93 = add nuw nsw i64 %90, 1
  %94 = extractelement <4 x double> %84, i64 3
  %95 = fadd double %94, %92
  %96 = add nuw nsw i64 %93, 1
  %97 = insertelement <4 x double> poison, double %86, i64 0
  %98 = insertelement <4 x double> %97, double %89, i64 1
  %99 = insertelement <4 x double> %98, double %92, i64 2
  %100 = insertelement <4 x double> %99, double %95, i64 3
  %101 = add i64 %9, 12
  %102 = mul i64 %101, 8
  %103 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %102
  store <4 x double> %100, ptr addrspace(1) %103, align 8
  %104 = add i64 %9, 16
  %105 = sub i64 %1, %104
  %106 = icmp uge i64 %105, 16
  br i1 %106, label %steps, label %steps.end, !mocl3.row_walk !0

steps.end:                                        ; preds = %steps
  %107 = and i64 %1, 15
  %108 = icmp eq i64 %107, 0
  br i1 %108, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %109 = phi i64 [ 1, %row_walk ], [ %96, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %110 = phi i64 [ %109, %rest ], [ %j.next, %loop ]
  %at = add i64 %row, %110
  %here = getelementptr double, ptr addrspace(1) %a, i64 %at
  %value = load double, ptr addrspace(1) %here, align 8
  %before = getelementptr i8, ptr addrspace(1) %here, i64 -8
  %last = load double, ptr addrspace(1) %before, align 8
  %sum = fadd double %value, %last
  store double %sum, ptr addrspace(1) %here, align 8
  %j.next = add nuw nsw i64 %110, 1
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
