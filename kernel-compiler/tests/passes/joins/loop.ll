; The loop's header begins the region in which work-items may leave the loop in different iterations.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %again) {
entry:
  br label %loop
loop:
  br i1 %c1, label %then1, label %join1
then1:
  call void @__mocl3_barrier()
  store i32 1, ptr addrspace(1) %p
  br label %join1
join1:
  br i1 %c2, label %then2, label %join2
then2:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  br label %join2
join2:
  br i1 %again, label %loop, label %end
end:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %loop
; region 1, for each work-item
;   starts at  %loop
;   blocks     %loop %then1
;   then       region 2 at %join1
;   then       region 3 at %barrier
; region 2, for each work-item
;   starts at  %join1
;   blocks     %join1 %then2
;   then       region 4 at %join2
;   then       region 5 at %barrier2
; region 3, for each work-item
;   starts at  %after
;   blocks     %after
;   then       region 2 at %join1
; region 4, for each work-item
;   starts at  %join2
;   blocks     %loop %then1 %join1 %then2 %join2 %end
;   then       region 3 at %barrier
;   then       region 5 at %barrier2
;   then       return
; region 5, for each work-item
;   starts at  %after1
;   blocks     %after1
;   then       region 4 at %join2
; some region has a loop within it

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %again) {
entry:
  br label %loop

loop:                                             ; preds = %join2, %entry
  br i1 %c1, label %then1, label %join1

then1:                                            ; preds = %loop
  br label %barrier

barrier:                                          ; preds = %then1
  br label %after

after:                                            ; preds = %barrier
  store i32 1, ptr addrspace(1) %p, align 4
  br label %join1

join1:                                            ; preds = %after, %loop
  br i1 %c2, label %then2, label %join2

then2:                                            ; preds = %join1
  br label %barrier2

barrier2:                                         ; preds = %then2
  br label %after1

after1:                                           ; preds = %barrier2
  store i32 2, ptr addrspace(1) %p, align 4
  br label %join2

join2:                                            ; preds = %after1, %join1
  br i1 %again, label %loop, label %end

end:                                              ; preds = %join2
  ret void
}
