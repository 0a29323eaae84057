; The value of a φ at a join is selected by the region that ends there.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i32 %x, i32 %y) {
entry:
  br i1 %c1, label %then1, label %join1
then1:
  call void @__mocl3_barrier()
  %z = load i32, ptr addrspace(1) %p
  br label %join1
join1:
  %chosen = phi i32 [ %x, %entry ], [ %z, %then1 ]
  %sum = add i32 %chosen, %y
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %then1 %join1
;   then       region 1 at %barrier
;   then       region 2 at %after1
; region 1, for each work-item
;   starts at  %after
;   blocks     %after %join1
;   then       region 2 at %after1
; region 2, for each work-item
;   starts at  %after1
;   blocks     %after1
;   then       return
; no region has a loop within it

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i32 %x, i32 %y) {
entry:
  br i1 %c1, label %then1, label %join1

then1:                                            ; preds = %entry
  br label %barrier

barrier:                                          ; preds = %then1
  br label %after

after:                                            ; preds = %barrier
  %z = load i32, ptr addrspace(1) %p, align 4
  br label %join1

join1:                                            ; preds = %after, %entry
  %chosen = phi i32 [ %x, %entry ], [ %z, %after ]
  br label %after1

after1:                                           ; preds = %join1
  %sum = add i32 %chosen, %y
  store i32 %sum, ptr addrspace(1) %p, align 4
  ret void
}
