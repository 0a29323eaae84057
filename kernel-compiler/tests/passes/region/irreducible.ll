; An irreducible cycle of two blocks: region formation does not require natural loops.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, i1 %d, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %top, label %middle
top:
  call void @__mocl3_barrier()
  br label %middle
middle:
  store i32 1, ptr addrspace(1) %p
  call void @__mocl3_barrier()
  br i1 %d, label %top, label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %top %middle
;   then       region 1 at %barrier
;   then       region 2 at %barrier2
; region 1, for each work-item
;   starts at  %middle
;   blocks     %middle
;   then       region 2 at %barrier2
; region 2, for each work-item
;   starts at  %after1
;   blocks     %top %after1 %done
;   then       region 1 at %barrier
;   then       return
; no region has a loop within it
