; The counter of a uniform loop is uniform, a sum of loaded values is not.
define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more.sum, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %value = load i32, ptr addrspace(1) %place
  %more.sum = add i32 %sum, %value
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ==== after ====
; %entry: run by all work-items or none
;   uniform  br label %loop
; %loop: run by all work-items or none
;   uniform  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
;   varying  %sum = phi i32 [ 0, %entry ], [ %more.sum, %loop ]
;   uniform  %place = getelementptr i32, ptr addrspace(1) %p, i32 %i
;   varying  %value = load i32, ptr addrspace(1) %place, align 4
;   varying  %more.sum = add i32 %sum, %value
;   uniform  %next = add i32 %i, 1
;   uniform  %more = icmp ult i32 %next, %n
;   uniform  br i1 %more, label %loop, label %done
; %done: run by all work-items or none
;   uniform  ret void
