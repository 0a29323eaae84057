; An extended 32-bit index might wrap from lane to lane, but not within an object of floats. Within
; one of bytes it might: half of the indices lie before its start.
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %first) {
entry:
  br label %item

item:
  %x = phi i32 [ 0, %entry ], [ %next, %item ]
  %wide = zext nneg i32 %x to i64
  %id = add i64 %first, %wide
  %high = shl i64 %id, 32
  %bytes = ashr exact i64 %high, 30
  %from = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %bytes
  %value = load float, ptr addrspace(1) %from, align 4
  %narrow = trunc i64 %id to i32
  %signed = sext i32 %narrow to i64
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %signed
  store float %value, ptr addrspace(1) %to, align 4
  %count = sitofp i64 %signed to float
  store float %count, ptr addrspace(1) %from, align 4
  %byte = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %signed
  store i8 0, ptr addrspace(1) %byte, align 1
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; loops: 1

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %first) {
entry:
  br label %lanes.x

lanes.x:                                          ; preds = %lanes.x, %entry
  %x1 = phi i32 [ 0, %entry ], [ %29, %lanes.x ]
  %0 = zext nneg i32 %x1 to i64
  %1 = add i64 %first, %0
  %2 = shl i64 %1, 32
  %3 = ashr exact i64 %2, 30
  %4 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %3
  %5 = load <4 x float>, ptr addrspace(1) %4, align 4
  %6 = trunc i64 %1 to i32
  %7 = insertelement <4 x i32> poison, i32 %6, i64 0
  %8 = shufflevector <4 x i32> %7, <4 x i32> poison, <4 x i32> zeroinitializer
  %9 = add <4 x i32> %8, <i32 0, i32 1, i32 2, i32 3>
  %10 = sext <4 x i32> %9 to <4 x i64>
  %11 = sext i32 %6 to i64
  %12 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %11
  store <4 x float> %5, ptr addrspace(1) %12, align 4
  %13 = sitofp <4 x i64> %10 to <4 x float>
  store <4 x float> %13, ptr addrspace(1) %4, align 4
  %14 = xor <4 x i32> %9, splat (i32 -2147483648)
  %15 = bitcast <4 x i32> %14 to <2 x i64>
  %16 = getelementptr i8, ptr addrspace(1) %b, i64 -2147483648
  %17 = extractelement <2 x i64> %15, i64 0
  %18 = and i64 %17, 4294967295
  %19 = getelementptr [1 x i8], ptr addrspace(1) %16, i64 %18
  store i8 0, ptr addrspace(1) %19, align 1
  %20 = extractelement <2 x i64> %15, i64 0
  %21 = lshr i64 %20, 32
  %22 = getelementptr [1 x i8], ptr addrspace(1) %16, i64 %21
  store i8 0, ptr addrspace(1) %22, align 1
  %23 = extractelement <2 x i64> %15, i64 1
  %24 = and i64 %23, 4294967295
  %25 = getelementptr [1 x i8], ptr addrspace(1) %16, i64 %24
  store i8 0, ptr addrspace(1) %25, align 1
  %26 = extractelement <2 x i64> %15, i64 1
  %27 = lshr i64 %26, 32
  %28 = getelementptr [1 x i8], ptr addrspace(1) %16, i64 %27
  store i8 0, ptr addrspace(1) %28, align 1
  %29 = add nuw nsw i32 %x1, 4
  br i1 false, label %lanes.x, label %done

done:                                             ; preds = %lanes.x
  ret void
}
