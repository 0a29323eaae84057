; A branch on an argument is uniform: all work-items execute its blocks or none does, and the φ is uniform.
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %meet
right:
  br label %meet
meet:
  %v = phi i32 [ 1, %left ], [ 2, %right ]
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   uniform  br i1 %c, label %left, label %right
; %left: run by all work-items or none
;   uniform  br label %meet
; %right: run by all work-items or none
;   uniform  br label %meet
; %meet: run by all work-items or none
;   uniform  %v = phi i32 [ 1, %left ], [ 2, %right ]
;   uniform  ret void
