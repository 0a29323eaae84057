; Division by a uniform divisor multiplies by its reciprocal, in doubles.
; lanes: 4
define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %value = load i32, ptr addrspace(1) %from, align 4
  %rest = srem i32 %value, %n
  store i32 %rest, ptr addrspace(1) %from, align 4
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %14, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = getelementptr i32, ptr addrspace(1) %a, i64 %0
  %2 = load <4 x i32>, ptr addrspace(1) %1, align 4
  %3 = insertelement <4 x i32> poison, i32 %n, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = sitofp i32 %n to double
  %6 = fdiv double 0x3FF0000000001000, %5
  %7 = insertelement <4 x double> poison, double %6, i64 0
  %8 = shufflevector <4 x double> %7, <4 x double> poison, <4 x i32> zeroinitializer
  %9 = sitofp <4 x i32> %2 to <4 x double>
  %10 = fmul <4 x double> %9, %8
  %11 = fptosi <4 x double> %10 to <4 x i32>
  %12 = mul <4 x i32> %11, %4
  %13 = sub <4 x i32> %2, %12
  store <4 x i32> %13, ptr addrspace(1) %1, align 4
  %14 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
