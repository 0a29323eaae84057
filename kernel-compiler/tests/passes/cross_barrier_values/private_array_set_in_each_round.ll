; A private array that each round of a loop sets as a whole before it uses it needs no place for
; each work-item.
declare void @__mocl3_barrier()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %array = alloca [4 x i32]
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__mocl3_barrier()
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 16, i1 false)
  %place = getelementptr i32, ptr %array, i64 %id
  %before = load i32, ptr %place
  %out = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %before, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; what lives across barriers
;   recomputed  %id = call i64 @__mocl3_local_id(i32 0)
;   per group   %across.i = i32, 4 bytes, for %i = phi i32 [ 0, %entry ], [ %next, %after ]
;
; private memory within regions
;   stack       %array = alloca [4 x i32], align 4, 16 bytes

declare void @__mocl3_barrier()

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #0

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %across.i = alloca i32, align 4
  %array = alloca [4 x i32], align 4
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop

loop:                                             ; preds = %after, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %after ]
  store i32 %i, ptr %across.i, align 4
  br label %barrier

barrier:                                          ; preds = %loop
  br label %after

after:                                            ; preds = %barrier
  %0 = call i64 @__mocl3_local_id(i32 0)
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 16, i1 false)
  %place = getelementptr i32, ptr %array, i64 %0
  %before = load i32, ptr %place, align 4
  %out = getelementptr i32, ptr addrspace(1) %p, i64 %0
  store i32 %before, ptr addrspace(1) %out, align 4
  %1 = load i32, ptr %across.i, align 4
  %next = add i32 %1, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %after
  ret void
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: write) }
