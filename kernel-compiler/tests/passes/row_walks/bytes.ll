; Bytes of a row are loaded four at once, those of all iterations before the first one, and stored four at once.
; lanes: 4
define void @k(ptr addrspace(1) %a, ptr addrspace(1) noalias %b, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %wide = zext nneg i32 %i to i64
  %row = mul i64 %wide, %pitch
  br label %loop

loop:
  %j = phi i64 [ 0, %item ], [ %j.next, %loop ]
  %last = phi i8 [ 0, %item ], [ %sum, %loop ]
  %at = add i64 %row, %j
  %in = getelementptr i8, ptr addrspace(1) %a, i64 %at
  %value = load i8, ptr addrspace(1) %in, align 1
  %sum = add i8 %last, %value
  %out = getelementptr i8, ptr addrspace(1) %b, i64 %at
  store i8 %sum, ptr addrspace(1) %out, align 1
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
define void @k(ptr addrspace(1) %a, ptr addrspace(1) noalias %b, i64 %pitch, i64 %n) {
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
  %6 = getelementptr i8, ptr addrspace(1) %a, i64 %5
  %7 = getelementptr i8, ptr addrspace(1) %b, i64 %5
  %8 = getelementptr i8, ptr addrspace(1) %6, i64 1
  %9 = icmp ult ptr addrspace(1) %7, %8
  %10 = getelementptr i8, ptr addrspace(1) %6, i64 15
  %11 = icmp ugt ptr addrspace(1) %7, %10
  %12 = or i1 %9, %11
  %13 = freeze i1 %12, !mocl3.all_lanes !0
  %14 = and i1 %4, %13
  br i1 %14, label %steps, label %rest

steps:                                            ; preds = %steps, %row_walk
  %15 = phi i64 [ 0, %row_walk ], [ %110, %steps ]
  %16 = phi i64 [ 0, %row_walk ], [ %102, %steps ]
  %17 = phi i8 [ 0, %row_walk ], [ %101, %steps ]
  %18 = add i64 %15, 0
  %19 = mul i64 %18, 1
  %20 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %19
  %21 = load <4 x i8>, ptr addrspace(1) %20, align 1
  %22 = add i64 %15, 4
  %23 = mul i64 %22, 1
  %24 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %23
  %25 = load <4 x i8>, ptr addrspace(1) %24, align 1
  %26 = add i64 %15, 8
  %27 = mul i64 %26, 1
  %28 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %27
  %29 = load <4 x i8>, ptr addrspace(1) %28, align 1
  %30 = add i64 %15, 12
  %31 = mul i64 %30, 1
  %32 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %31
  %33 = load <4 x i8>, ptr addrspace(1) %32, align 1
  %34 = extractelement <4 x i8> %21, i64 0
  %35 = add i8 %17, %34
  %36 = add nuw nsw i64 %16, 1
  %37 = extractelement <4 x i8> %21, i64 1
  %38 = add i8 %35, %37
  %39 = add nuw nsw i64 %36, 1
  %40 = extractelement <4 x i8> %21, i64 2
  %41 = add i8 %38, %40
  %42 = add nuw nsw i64 %39, 1
  %43 = extractelement <4 x i8> %21, i64 3
  %44 = add i8 %41, %43
  %45 = add nuw nsw i64 %42, 1
  %46 = insertelement <4 x i8> poison, i8 %35, i64 0
  %47 = insertelement <4 x i8> %46, i8 %38, i64 1
  %48 = insertelement <4 x i8> %47, i8 %41, i64 2
  %49 = insertelement <4 x i8> %48, i8 %44, i64 3
  %50 = add i64 %15, 0
  %51 = mul i64 %50, 1
  %52 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %51
  store <4 x i8> %49, ptr addrspace(1) %52, align 1
  %53 = extractelement <4 x i8> %25, i64 0
  %54 = add i8 %44, %53
  %55 = add nuw nsw i64 %45, 1
  %56 = extractelement <4 x i8> %25, i64 1
  %57 = add i8 %54, %56
  %58 = add nuw nsw i64 %55, 1
  %59 = extractelement <4 x i8> %25, i64 2
  %60 = add i8 %57, %59
  %61 = add nuw nsw i64 %58, 1
  %62 = extractelement <4 x i8> %25, i64 3
  %63 = add i8 %60, %62
  %64 = add nuw nsw i64 %61, 1
  %65 = insertelement <4 x i8> poison, i8 %54, i64 0
  %66 = insertelement <4 x i8> %65, i8 %57, i64 1
  %67 = insertelement <4 x i8> %66, i8 %60, i64 2
  %68 = insertelement <4 x i8> %67, i8 %63, i64 3
  %69 = add i64 %15, 4
  %70 = mul i64 %69, 1
  %71 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %70
  store <4 x i8> %68, ptr addrspace(1) %71, align 1
  %72 = extractelement <4 x i8> %29, i64 0
  %73 = add i8 %63, %72
  %74 = add nuw nsw i64 %64, 1
  %75 = extractelement <4 x i8> %29, i64 1
  %76 = add i8 %73, %75
  %77 = add nuw nsw i64 %74, 1
  %78 = extractelement <4 x i8> %29, i64 2
  %79 = add i8 %76, %78
  %80 = add nuw nsw i64 %77, 1
  %81 = extractelement <4 x i8> %29, i64 3
  %82 = add i8 %79, %81
  %83 = add nuw nsw i64 %80, 1
  %84 = insertelement <4 x i8> poison, i8 %73, i64 0
  %85 = insertelement <4 x i8> %84, i8 %76, i64 1
  %86 = insertelement <4 x i8> %85, i8 %79, i64 2
  %87 = insertelement <4 x i8> %86, i8 %82, i64 3
  %88 = add i64 %15, 8
  %89 = mul i64 %88, 1
  %90 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %89
  store <4 x i8> %87, ptr addrspace(1) %90, align 1
  %91 = extractelement <4 x i8> %33, i64 0
  %92 = add i8 %82, %91
  %93 = add nuw nsw i64 %83, 1
  %94 = extractelement <4 x i8> %33, i64 1
  %95 = add i8 %92, %94
  %96 = add nuw nsw i64 %93, 1
  %97 = extractelement <4 x i8> %33, i64 2
  %98 = add i8 %95, %97
  %99 = add nuw nsw i64 %96, 1
  %100 = extractelement <4 x i8> %33, i64 3
  %101 = add i8 %98, %100
  %102 = add nuw nsw i64 %99, 1
  %103 = insertelement <4 x i8> poison, i8 %92, i64 0
  %104 = insertelement <4 x i8> %103, i8 %95, i64 1
  %105 = insertelement <4 x i8> %104, i8 %98, i64 2
  %106 = insertelement <4 x i8> %105, i8 %101, i64 3
  %107 = add i64 %15, 12
  %108 = mul i64 %107, 1
  %109 = getelementptr inbounds i8, ptr addrspace(1) %7, i64 %108
  store <4 x i8> %106, ptr addrspace(1) %109, align 1
  %110 = add i64 %15, 16
  %111 = sub i64 %1, %110
  %112 = icmp uge i64 %111, 16
  br i1 %112, label %steps, label %steps.end, !mocl3.row_walk !0

steps.end:                                        ; preds = %steps
  %113 = and i64 %1, 15
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %end, label %rest

rest:                                             ; preds = %steps.end, %row_walk
  %115 = phi i64 [ 0, %row_walk ], [ %102, %steps.end ]
  %116 = phi i8 [ 0, %row_walk ], [ %101, %steps.end ]
  br label %loop

loop:                                             ; preds = %rest, %loop
  %117 = phi i64 [ %115, %rest ], [ %j.next, %loop ]
  %118 = phi i8 [ %116, %rest ], [ %sum, %loop ]
  %at = add i64 %row, %117
  %in = getelementptr i8, ptr addrspace(1) %a, i64 %at
  %value = load i8, ptr addrspace(1) %in, align 1
  %sum = add i8 %118, %value
  %out = getelementptr i8, ptr addrspace(1) %b, i64 %at
  store i8 %sum, ptr addrspace(1) %out, align 1
  %j.next = add nuw nsw i64 %117, 1
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
