; The group may return between conditional barriers. The regions end at the joins, as if it could not.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %c3, i1 %d1, i1 %d2) {
entry:
  br i1 %c1, label %then1, label %join1
then1:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  br i1 %d1, label %end, label %join1
join1:
  br i1 %c2, label %then2, label %join2
then2:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  br i1 %d2, label %end, label %join2
join2:
  br i1 %c3, label %then3, label %join3
then3:
  call void @__mocl3_barrier()
  store i32 3, ptr addrspace(1) %p
  br label %join3
join3:
  store i32 4, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %then1
;   then       region 1 at %join1
;   then       region 2 at %barrier
; region 1, for each work-item
;   starts at  %join1
;   blocks     %join1 %then2
;   then       region 3 at %join2
;   then       region 4 at %barrier2
; region 2, for each work-item
;   starts at  %after
;   blocks     %after %end
;   then       region 1 at %join1
;   then       return
; region 3, for each work-item
;   starts at  %join2
;   blocks     %join2 %then3
;   then       region 5 at %join3
;   then       region 6 at %barrier4
; region 4, for each work-item
;   starts at  %after1
;   blocks     %after1 %end
;   then       region 3 at %join2
;   then       return
; region 5, for each work-item
;   starts at  %join3
;   blocks     %join3
;   then       region 7 at %end
; region 6, for each work-item
;   starts at  %after3
;   blocks     %after3
;   then       region 5 at %join3
; region 7, for each work-item
;   starts at  %end
;   blocks     %end
;   then       return
; no region has a loop within it

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %c3, i1 %d1, i1 %d2) {
entry:
  br i1 %c1, label %then1, label %join1

then1:                                            ; preds = %entry
  br label %barrier

barrier:                                          ; preds = %then1
  br label %after

after:                                            ; preds = %barrier
  store i32 1, ptr addrspace(1) %p, align 4
  br i1 %d1, label %end, label %join1

join1:                                            ; preds = %after, %entry
  br i1 %c2, label %then2, label %join2

then2:                                            ; preds = %join1
  br label %barrier2

barrier2:                                         ; preds = %then2
  br label %after1

after1:                                           ; preds = %barrier2
  store i32 2, ptr addrspace(1) %p, align 4
  br i1 %d2, label %end, label %join2

join2:                                            ; preds = %after1, %join1
  br i1 %c3, label %then3, label %join3

then3:                                            ; preds = %join2
  br label %barrier4

barrier4:                                         ; preds = %then3
  br label %after3

after3:                                           ; preds = %barrier4
  store i32 3, ptr addrspace(1) %p, align 4
  br label %join3

join3:                                            ; preds = %after3, %join2
  store i32 4, ptr addrspace(1) %p, align 4
  br label %end

end:                                              ; preds = %join3, %after1, %after
  ret void
}
