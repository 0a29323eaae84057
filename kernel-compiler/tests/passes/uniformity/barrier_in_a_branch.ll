; Work-items that take a branch differently may be separated by a barrier behind it. What can be
; reached from there is not run by all together, and what a loop carries there is not the same.
declare void @__mocl3_barrier()
declare i64 @__mocl3_local_id(i32)

define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %first = icmp ult i64 %id, 4
  br i1 %first, label %then, label %loop
then:
  call void @__mocl3_barrier()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ 0, %then ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   varying  %id = call i64 @__mocl3_local_id(i32 0)
;   varying  %first = icmp ult i64 %id, 4
;   varying  br i1 %first, label %then, label %loop
; %then: run by some work-items
;   varying  call void @__mocl3_barrier()
;   uniform  br label %loop
; %loop: run by some work-items
;   varying  %i = phi i32 [ 0, %entry ], [ 0, %then ], [ %next, %loop ]
;   varying  %next = add i32 %i, 1
;   varying  %more = icmp slt i32 %next, %n
;   varying  br i1 %more, label %loop, label %done
; %done: run by some work-items
;   uniform  ret void
