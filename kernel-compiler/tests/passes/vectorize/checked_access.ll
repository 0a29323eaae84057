; Whether all lanes are within bounds is known from the first and the last one. Reports are made lane
; by lane, for those that are outside.
; lanes: 4
declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64)

define void @k(ptr addrspace(1) %x, ptr %context, i64 %limit) {
entry:
  br label %region0.work_item

region0.work_item:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %index = zext nneg i32 %i to i64
  %offset = shl nuw nsw i64 %index, 2
  %inside = icmp ult i64 %offset, %limit
  %every = freeze i1 %inside, !mocl3.all_lanes !1
  br i1 %every, label %all_lanes, label %some_lanes

all_lanes:
  %all.at = getelementptr i8, ptr addrspace(1) %x, i64 %offset
  store float 1.0, ptr addrspace(1) %all.at, align 4
  br label %join

some_lanes:
  br i1 %inside, label %access, label %report

access:
  %x.at = getelementptr i8, ptr addrspace(1) %x, i64 %offset
  store float 1.0, ptr addrspace(1) %x.at, align 4
  br label %join

report:
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %offset, i64 4, i64 %index, i64 0, i64 0)
  br label %join

join:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 16
  br i1 %more, label %region0.work_item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{i64 16, null}
!1 = !{}

; ==== after ====
; loops: 1

declare void @__mocl3_memory_finding(ptr, i64, i64, i64, i64, i64, i64, i64)

define void @k(ptr addrspace(1) %x, ptr %context, i64 %limit) {
entry:
  %lanes4 = alloca <4 x i64>, align 32
  %lanes3 = alloca <4 x i64>, align 32
  br label %lanes.x

lanes.x:                                          ; preds = %24, %entry
  %x1 = phi i32 [ 0, %entry ], [ %25, %24 ]
  %0 = zext nneg i32 %x1 to i64
  %1 = shl nuw nsw i64 %0, 2
  %2 = insertelement <4 x i64> poison, i64 %1, i64 0
  %3 = shufflevector <4 x i64> %2, <4 x i64> poison, <4 x i32> zeroinitializer
  %4 = add <4 x i64> %3, <i64 0, i64 4, i64 8, i64 12>
  %5 = insertelement <4 x i64> poison, i64 %limit, i64 0
  %6 = shufflevector <4 x i64> %5, <4 x i64> poison, <4 x i32> zeroinitializer
  %7 = icmp ult <4 x i64> %4, %6
  %8 = add i64 %1, 12
  %9 = icmp ult i64 %1, %limit
  %10 = icmp ult i64 %8, %limit
  %11 = and i1 %9, %10
  %12 = icmp sge i64 %limit, 0
  %13 = and i1 %12, %11
  br i1 %13, label %27, label %29

14:                                               ; preds = %29
  %15 = insertelement <4 x i64> poison, i64 %1, i64 0
  %16 = shufflevector <4 x i64> %15, <4 x i64> poison, <4 x i32> zeroinitializer
  %17 = add <4 x i64> %16, <i64 0, i64 4, i64 8, i64 12>
  %18 = insertelement <4 x i64> poison, i64 %0, i64 0
  %19 = shufflevector <4 x i64> %18, <4 x i64> poison, <4 x i32> zeroinitializer
  %20 = add <4 x i64> %19, <i64 0, i64 1, i64 2, i64 3>
  store <4 x i64> %17, ptr %lanes3, align 32
  store <4 x i64> %20, ptr %lanes4, align 32
  %21 = bitcast <4 x i1> %30 to i4
  %22 = zext i4 %21 to i32
  br label %lane

lanes.after:                                      ; preds = %lane, %29
  %23 = getelementptr i8, ptr addrspace(1) %x, i64 %1
  call void @llvm.masked.store.v4f32.p1(<4 x float> splat (float 1.000000e+00), ptr addrspace(1) align 4 %23, <4 x i1> %7)
  br label %24

24:                                               ; preds = %27, %lanes.after
  %25 = add nuw nsw i32 %x1, 4
  %26 = icmp ult i32 %25, 16
  br i1 %26, label %lanes.x, label %done

27:                                               ; preds = %lanes.x
  %28 = getelementptr i8, ptr addrspace(1) %x, i64 %1
  store <4 x float> splat (float 1.000000e+00), ptr addrspace(1) %28, align 4
  br label %24

29:                                               ; preds = %lanes.x
  %30 = xor <4 x i1> %7, splat (i1 true)
  %31 = bitcast <4 x i1> %30 to i4
  %32 = icmp ne i4 %31, 0
  br i1 %32, label %14, label %lanes.after

lane:                                             ; preds = %lane, %14
  %left = phi i32 [ %22, %14 ], [ %42, %lane ]
  %33 = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %34 = zext i32 %33 to i64
  %35 = mul i64 %34, 8
  %36 = getelementptr i8, ptr %lanes3, i64 %35
  %37 = load i64, ptr %36, align 8
  %38 = mul i64 %34, 8
  %39 = getelementptr i8, ptr %lanes4, i64 %38
  %40 = load i64, ptr %39, align 8
  call void @__mocl3_memory_finding(ptr %context, i64 0, i64 0, i64 %37, i64 4, i64 %40, i64 0, i64 0)
  %41 = sub i32 %left, 1
  %42 = and i32 %left, %41
  %43 = icmp ne i32 %42, 0
  br i1 %43, label %lane, label %lanes.after

done:                                             ; preds = %24
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1) captures(none), <4 x i1>) #1

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
