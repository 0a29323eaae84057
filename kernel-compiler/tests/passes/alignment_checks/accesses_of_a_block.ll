; One branch tests the accesses of a block, before the last of them.
define void @k(ptr %a, ptr %b) {
  %value = load double, ptr %a, align 8
  %next = getelementptr i8, ptr %b, i64 4
  store double %value, ptr %next, align 8
  ret void
}

; ==== after ====
define void @k(ptr %a, ptr %b) {
  %value = load double, ptr %a, align 8
  %next = getelementptr i8, ptr %b, i64 4
  %1 = ptrtoint ptr %a to i64
  %2 = ptrtoint ptr %next to i64
  %3 = or i64 %1, %2
  %4 = and i64 %3, 7
  %5 = icmp ne i64 %4, 0
  br i1 %5, label %6, label %13, !prof !0

6:                                                ; preds = %0
  %7 = ptrtoint ptr %a to i64
  %8 = and i64 %7, 7
  %9 = icmp ne i64 %8, 0
  br i1 %9, label %10, label %11, !prof !0

10:                                               ; preds = %6
  call void @__ht_misaligned(ptr %a) #1
  unreachable

11:                                               ; preds = %6
  %12 = getelementptr i8, ptr %b, i64 4
  call void @__ht_misaligned(ptr %12) #1
  unreachable

13:                                               ; preds = %0
  store double %value, ptr %next, align 8
  ret void
}

; Function Attrs: cold noreturn
declare void @__ht_misaligned(ptr) #0

attributes #0 = { cold noreturn }
attributes #1 = { noreturn }

!0 = !{!"branch_weights", i32 1, i32 1048575}
