; A kernel without barriers is one region.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %yes, label %done
yes:
  br label %done
done:
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry %yes %done
;   then       return
; no region has a loop within it
