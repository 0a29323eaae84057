; A region may end at an `unreachable` instruction.
declare void @__mocl3_barrier()

define spir_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  call void @__mocl3_barrier()
  br i1 %c, label %never, label %done
never:
  unreachable
done:
  store i32 2, ptr addrspace(1) %p
  ret void
}

; ==== after ====
; region 0, for each work-item
;   starts at  %entry
;   blocks     %entry
;   then       region 1 at %barrier
; region 1, for each work-item
;   starts at  %after
;   blocks     %after %never %done
;   then       return
; no region has a loop within it
