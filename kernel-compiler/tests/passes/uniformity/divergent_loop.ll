; A loop with a divergent trip count: all values in it are varying, including the counter.
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k() {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %id
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %id = call i64 @__mocl3_local_id(i32 0)
;   uniform  br label %loop
; %loop: run by some work-items
;   varying  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
;   varying  %next = add i64 %i, 1
;   varying  %more = icmp ult i64 %next, %id
;   varying  br i1 %more, label %loop, label %done
; %done: run by all work-items or none
;   uniform  ret void
