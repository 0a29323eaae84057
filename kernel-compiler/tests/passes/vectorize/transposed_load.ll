; Each lane loads its four elements at once. The lanes of the address that is the same in all iterations are extracted
; apart from what the loop adds to it.
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %pitch, i64 %n) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %next ]
  %begin = mul i64 %x, %pitch
  %row = getelementptr float, ptr addrspace(1) %from, i64 %begin
  br label %step

step:
  %i = phi i64 [ 0, %item ], [ %i.next, %step ]
  %sum = phi float [ 0.000000e+00, %item ], [ %w, %step ]
  %in = getelementptr i8, ptr addrspace(1) %row, i64 %i
  %four = load <4 x float>, ptr addrspace(1) %in, align 4
  %a = extractelement <4 x float> %four, i64 0
  %d = extractelement <4 x float> %four, i64 3
  %sum.a = fadd float %sum, %a
  %w = fadd float %sum.a, %d
  %i.next = add nuw nsw i64 %i, 16
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %step, label %next

next:
  %out = getelementptr float, ptr addrspace(1) %to, i64 %x
  store float %w, ptr addrspace(1) %out, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 8
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %pitch, i64 %n) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %30, %entry
  %x1 = phi i64 [ 0, %entry ], [ %32, %30 ]
  %0 = insertelement <4 x i64> poison, i64 %x1, i64 0
  %1 = shufflevector <4 x i64> %0, <4 x i64> poison, <4 x i32> zeroinitializer
  %2 = add <4 x i64> %1, <i64 0, i64 1, i64 2, i64 3>
  %3 = insertelement <4 x i64> poison, i64 %pitch, i64 0
  %4 = shufflevector <4 x i64> %3, <4 x i64> poison, <4 x i32> zeroinitializer
  %5 = mul <4 x i64> %2, %4
  %6 = getelementptr float, ptr addrspace(1) %from, <4 x i64> %5
  br label %7

7:                                                ; preds = %7, %lanes.x
  %.05 = phi i64 [ 0, %lanes.x ], [ %28, %7 ]
  %.0 = phi <4 x float> [ zeroinitializer, %lanes.x ], [ %27, %7 ]
  %8 = extractelement <4 x ptr addrspace(1)> %6, i64 0
  %9 = getelementptr i8, ptr addrspace(1) %8, i64 %.05
  %10 = extractelement <4 x ptr addrspace(1)> %6, i64 1
  %11 = getelementptr i8, ptr addrspace(1) %10, i64 %.05
  %12 = extractelement <4 x ptr addrspace(1)> %6, i64 2
  %13 = getelementptr i8, ptr addrspace(1) %12, i64 %.05
  %14 = extractelement <4 x ptr addrspace(1)> %6, i64 3
  %15 = getelementptr i8, ptr addrspace(1) %14, i64 %.05
  %16 = load <4 x float>, ptr addrspace(1) %9, align 4
  %17 = load <4 x float>, ptr addrspace(1) %11, align 4
  %18 = load <4 x float>, ptr addrspace(1) %13, align 4
  %19 = load <4 x float>, ptr addrspace(1) %15, align 4
  %20 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %21 = shufflevector <4 x float> %18, <4 x float> %19, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %22 = shufflevector <4 x float> %20, <4 x float> %21, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %23 = shufflevector <4 x float> %16, <4 x float> %17, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %24 = shufflevector <4 x float> %18, <4 x float> %19, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %25 = shufflevector <4 x float> %23, <4 x float> %24, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %26 = fadd <4 x float> %.0, %22
  %27 = fadd <4 x float> %26, %25
  %28 = add nuw nsw i64 %.05, 16
  %29 = icmp ult i64 %28, %n
  br i1 %29, label %7, label %30

30:                                               ; preds = %7
  %31 = getelementptr float, ptr addrspace(1) %to, i64 %x1
  store <4 x float> %27, ptr addrspace(1) %31, align 4
  %32 = add nuw nsw i64 %x1, 4
  %33 = icmp ult i64 %32, 8
  br i1 %33, label %lanes.x, label %done

done:                                             ; preds = %30
  ret void
}
