; Not all work-items reach the join from the first barrier, so its region does not end there. The region of
; the second barrier does.
declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %leave) {
entry:
  br i1 %c1, label %then1, label %join1
then1:
  call void @__mocl3_barrier()
  br i1 %leave, label %done, label %join1
join1:
  br i1 %c2, label %then2, label %join2
then2:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
  br label %join2
join2:
  store i32 5, ptr addrspace(1) %p
  br label %done
done:
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
;   blocks     %after %done
;   then       region 1 at %join1
;   then       return
; region 3, for each work-item
;   starts at  %join2
;   blocks     %join2
;   then       region 5 at %done
; region 4, for each work-item
;   starts at  %after1
;   blocks     %after1
;   then       region 3 at %join2
; region 5, for each work-item
;   starts at  %done
;   blocks     %done
;   then       return
; no region has a loop within it

declare void @__mocl3_barrier()

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2, i1 %leave) {
entry:
  br i1 %c1, label %then1, label %join1

then1:                                            ; preds = %entry
  br label %barrier

barrier:                                          ; preds = %then1
  br label %after

after:                                            ; preds = %barrier
  br i1 %leave, label %done, label %join1

join1:                                            ; preds = %after, %entry
  br i1 %c2, label %then2, label %join2

then2:                                            ; preds = %join1
  br label %barrier2

barrier2:                                         ; preds = %then2
  br label %after1

after1:                                           ; preds = %barrier2
  store i32 2, ptr addrspace(1) %p, align 4
  br label %join2

join2:                                            ; preds = %after1, %join1
  store i32 5, ptr addrspace(1) %p, align 4
  br label %done

done:                                             ; preds = %join2, %after
  ret void
}
