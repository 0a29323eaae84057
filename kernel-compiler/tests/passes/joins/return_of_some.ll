; Some work-items may return before the second condition, which OpenCL forbids unless no further barrier
; follows: the first region leads to a join, where those that have not returned continue.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  br i1 %c1, label %then1, label %join1
then1:
  call void @__mocl3_barrier()
  %first = icmp eq i64 %id, 0
  br i1 %first, label %end, label %join1
join1:
  br i1 %c2, label %then2, label %end
then2:
  call void @__mocl3_barrier()
  store i32 2, ptr addrspace(1) %p
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
;   then       region 3 at %end
;   then       region 4 at %barrier2
; region 2, for each work-item
;   starts at  %after
;   blocks     %after %end
;   then       region 1 at %join1
;   then       return
; region 3, for each work-item
;   starts at  %end
;   blocks     %end
;   then       return
; region 4, for each work-item
;   starts at  %after1
;   blocks     %after1
;   then       region 3 at %end
; no region has a loop within it

declare void @__mocl3_barrier()

declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i1 %c1, i1 %c2) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  br i1 %c1, label %then1, label %join1

then1:                                            ; preds = %entry
  br label %barrier

barrier:                                          ; preds = %then1
  br label %after

after:                                            ; preds = %barrier
  %first = icmp eq i64 %id, 0
  br i1 %first, label %end, label %join1

join1:                                            ; preds = %after, %entry
  br i1 %c2, label %then2, label %end

then2:                                            ; preds = %join1
  br label %barrier2

barrier2:                                         ; preds = %then2
  br label %after1

after1:                                           ; preds = %barrier2
  store i32 2, ptr addrspace(1) %p, align 4
  br label %end

end:                                              ; preds = %after1, %join1, %after
  ret void
}
