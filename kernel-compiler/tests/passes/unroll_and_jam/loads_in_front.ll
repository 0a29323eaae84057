; The loads in front of the sums move to their uses; together their values would fill the registers.
; The load that a store may change stays.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:
  %y = phi i32 [ 0, %entry ], [ %next, %row ]
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 128
  %a2 = getelementptr i8, ptr addrspace(1) %a, i64 256
  %a3 = getelementptr i8, ptr addrspace(1) %a, i64 384
  %wide = zext nneg i32 %y to i64
  %place = getelementptr <16 x double>, ptr addrspace(1) %b, i64 %wide
  %load3 = load <16 x double>, ptr addrspace(1) %a3, align 8
  %load2 = load <16 x double>, ptr addrspace(1) %a2, align 8
  %load1 = load <16 x double>, ptr addrspace(1) %a1, align 8
  %load0 = load <16 x double>, ptr addrspace(1) %a, align 8
  %own = load <16 x double>, ptr addrspace(1) %place, align 8
  %sum0 = fadd <16 x double> %own, %load0
  %sum1 = fadd <16 x double> %sum0, %load1
  %sum2 = fadd <16 x double> %sum1, %load2
  %sum3 = fadd <16 x double> %sum2, %load3
  %first = load double, ptr addrspace(1) %place, align 8
  store <16 x double> %sum3, ptr addrspace(1) %place, align 8
  %sum4 = fadd double %first, 1.0
  store double %sum4, ptr addrspace(1) %place, align 8
  %next = add nuw nsw i32 %y, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %row, label %done, !mocl3.rows !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; unroll and jam: [2]

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %row

row:                                              ; preds = %row, %entry
  %y = phi i32 [ 0, %entry ], [ %10, %row ]
  %0 = add nuw nsw i32 %y, 1
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 128
  %a2 = getelementptr i8, ptr addrspace(1) %a, i64 256
  %a3 = getelementptr i8, ptr addrspace(1) %a, i64 384
  %wide = zext nneg i32 %y to i64
  %1 = zext nneg i32 %0 to i64
  %place = getelementptr <16 x double>, ptr addrspace(1) %b, i64 %wide
  %2 = getelementptr <16 x double>, ptr addrspace(1) %b, i64 %1
  %own = load <16 x double>, ptr addrspace(1) %place, align 8
  %3 = load <16 x double>, ptr addrspace(1) %2, align 8
  %load0 = load <16 x double>, ptr addrspace(1) %a, align 8
  %sum0 = fadd <16 x double> %own, %load0
  %4 = fadd <16 x double> %3, %load0
  %load1 = load <16 x double>, ptr addrspace(1) %a1, align 8
  %sum1 = fadd <16 x double> %sum0, %load1
  %5 = fadd <16 x double> %4, %load1
  %load2 = load <16 x double>, ptr addrspace(1) %a2, align 8
  %sum2 = fadd <16 x double> %sum1, %load2
  %6 = fadd <16 x double> %5, %load2
  %load3 = load <16 x double>, ptr addrspace(1) %a3, align 8
  %sum3 = fadd <16 x double> %sum2, %load3
  %7 = fadd <16 x double> %6, %load3
  %first = load double, ptr addrspace(1) %place, align 8
  %8 = load double, ptr addrspace(1) %2, align 8
  store <16 x double> %sum3, ptr addrspace(1) %place, align 8
  store <16 x double> %7, ptr addrspace(1) %2, align 8
  %sum4 = fadd double %first, 1.000000e+00
  %9 = fadd double %8, 1.000000e+00
  store double %sum4, ptr addrspace(1) %place, align 8
  store double %9, ptr addrspace(1) %2, align 8
  %10 = add nuw nsw i32 %y, 2
  %11 = icmp ult i32 %10, 8
  br i1 %11, label %row, label %done

done:                                             ; preds = %row
  ret void
}
