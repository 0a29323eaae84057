; The bounds of the inner loop depend on the counter of the outer one: both are unrolled, and the array is kept in registers.
define void @least_first(ptr addrspace(1) %a) {
entry:
  %v = alloca [3 x i32], align 4
  %a1 = getelementptr i32, ptr addrspace(1) %a, i64 1
  %a2 = getelementptr i32, ptr addrspace(1) %a, i64 2
  %v1 = getelementptr i32, ptr %v, i64 1
  %v2 = getelementptr i32, ptr %v, i64 2
  %first = load i32, ptr addrspace(1) %a, align 4
  %second = load i32, ptr addrspace(1) %a1, align 4
  %third = load i32, ptr addrspace(1) %a2, align 4
  store i32 %first, ptr %v, align 4
  store i32 %second, ptr %v1, align 4
  store i32 %third, ptr %v2, align 4
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %next.i, %end ]
  %next.i = add nuw nsw i64 %i, 1
  %at.i = getelementptr i32, ptr %v, i64 %i
  br label %inner

inner:
  %j = phi i64 [ %next.i, %outer ], [ %next.j, %inner ]
  %at.j = getelementptr i32, ptr %v, i64 %j
  %x = load i32, ptr %at.i, align 4
  %y = load i32, ptr %at.j, align 4
  %less = icmp slt i32 %y, %x
  %low = select i1 %less, i32 %y, i32 %x
  store i32 %low, ptr %at.i, align 4
  %next.j = add nuw nsw i64 %j, 1
  %more.j = icmp ult i64 %next.j, 3
  br i1 %more.j, label %inner, label %end

end:
  %more.i = icmp ult i64 %next.i, 2
  br i1 %more.i, label %outer, label %done

done:
  %result = load i32, ptr %v, align 4
  store i32 %result, ptr addrspace(1) %a, align 4
  %result1 = load i32, ptr %v1, align 4
  store i32 %result1, ptr addrspace(1) %a1, align 4
  ret void
}

; ==== after ====
define void @least_first(ptr addrspace(1) %a) {
entry:
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 4
  %a2 = getelementptr i8, ptr addrspace(1) %a, i64 8
  %first = load i32, ptr addrspace(1) %a, align 4
  %second = load i32, ptr addrspace(1) %a1, align 4
  %third = load i32, ptr addrspace(1) %a2, align 4
  %low = call i32 @llvm.smin.i32(i32 %second, i32 %first)
  %low.17 = call i32 @llvm.smin.i32(i32 %third, i32 %low)
  %low.1 = call i32 @llvm.smin.i32(i32 %third, i32 %second)
  store i32 %low.17, ptr addrspace(1) %a, align 4
  store i32 %low.1, ptr addrspace(1) %a1, align 4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #0

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
