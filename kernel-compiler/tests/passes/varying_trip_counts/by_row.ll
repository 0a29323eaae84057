; A loop of as many iterations as the work-item's row says stays rolled, unless the program says otherwise; one of as many
; as an argument says does not.
declare i64 @__mocl3_local_id(i32)

define void @k(ptr addrspace(1) %lengths, i64 %all) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %lengths, i64 %id
  %length = load i64, ptr addrspace(1) %at, align 8
  br label %own

own:
  %i = phi i64 [ 0, %entry ], [ %i.next, %own ]
  %i.next = add i64 %i, 1
  %own.ends = icmp uge i64 %i.next, %length
  br i1 %own.ends, label %between, label %own, !llvm.loop !0

between:
  br label %hinted

hinted:
  %j = phi i64 [ 0, %between ], [ %j.next, %hinted ]
  %j.next = add i64 %j, 1
  %hinted.ends = icmp uge i64 %j.next, %length
  br i1 %hinted.ends, label %before_common, label %hinted, !llvm.loop !2

before_common:
  br label %common

common:
  %k = phi i64 [ 0, %before_common ], [ %k.next, %common ]
  %k.next = add i64 %k, 1
  %common.ends = icmp uge i64 %k.next, %all
  br i1 %common.ends, label %done, label %common

done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 4}

; ==== after ====
declare i64 @__mocl3_local_id(i32)

define void @k(ptr addrspace(1) %lengths, i64 %all) {
entry:
  %id = call i64 @__mocl3_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %lengths, i64 %id
  %length = load i64, ptr addrspace(1) %at, align 8
  br label %own

own:                                              ; preds = %own, %entry
  %i = phi i64 [ 0, %entry ], [ %i.next, %own ]
  %i.next = add i64 %i, 1
  %own.ends = icmp uge i64 %i.next, %length
  br i1 %own.ends, label %between, label %own, !llvm.loop !0

between:                                          ; preds = %own
  br label %hinted

hinted:                                           ; preds = %hinted, %between
  %j = phi i64 [ 0, %between ], [ %j.next, %hinted ]
  %j.next = add i64 %j, 1
  %hinted.ends = icmp uge i64 %j.next, %length
  br i1 %hinted.ends, label %before_common, label %hinted, !llvm.loop !3

before_common:                                    ; preds = %hinted
  br label %common

common:                                           ; preds = %common, %before_common
  %k = phi i64 [ 0, %before_common ], [ %k.next, %common ]
  %k.next = add i64 %k, 1
  %common.ends = icmp uge i64 %k.next, %all
  br i1 %common.ends, label %done, label %common

done:                                             ; preds = %common
  ret void
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.runtime.disable"}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.count", i32 4}
