; What a program expects of a branch becomes the branch's weights.
declare i64 @llvm.expect.i64(i64, i64)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
entry:
  %large = icmp sgt i32 %x, 1000
  %wide = zext i1 %large to i64
  %expected = call i64 @llvm.expect.i64(i64 %wide, i64 0)
  %taken = icmp ne i64 %expected, 0
  br i1 %taken, label %rare, label %done

rare:
  store i32 %x, ptr addrspace(1) %p
  br label %done

done:
  ret void
}

; ==== after ====
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare i64 @llvm.expect.i64(i64, i64) #0

define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
entry:
  %large = icmp sgt i32 %x, 1000
  br i1 %large, label %rare, label %done, !prof !0

rare:                                             ; preds = %entry
  store i32 %x, ptr addrspace(1) %p, align 4
  br label %done

done:                                             ; preds = %rare, %entry
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(none) }
