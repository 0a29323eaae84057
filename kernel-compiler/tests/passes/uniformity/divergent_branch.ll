; Some work-items execute the successors of a branch on the id, all execute the join; a φ there is varying.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k() {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %c = icmp eq i64 %id, 0
  br i1 %c, label %left, label %right
left:
  br label %meet
right:
  br label %meet
meet:
  %v = phi i32 [ 1, %left ], [ 2, %right ]
  %w = add i32 3, 4
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %id = call i64 @__mocl3_local_id(i32 0)
;   varying  %c = icmp eq i64 %id, 0
;   varying  br i1 %c, label %left, label %right
; %left: run by some work-items
;   uniform  br label %meet
; %right: run by some work-items
;   uniform  br label %meet
; %meet: run by all work-items or none
;   varying  %v = phi i32 [ 1, %left ], [ 2, %right ]
;   uniform  %w = add i32 3, 4
;   uniform  ret void
