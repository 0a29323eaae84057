; `or disjoint` becomes `add`; another `or` stays.
define void @k(ptr %to, i64 %a, i64 %b) {
  %sum = or disjoint i64 %a, %b
  %both = or i64 %sum, %b
  store i64 %both, ptr %to, align 8
  ret void
}

; ==== after ====
define void @k(ptr %to, i64 %a, i64 %b) {
block:
  %0 = add nuw nsw i64 %a, %b
  %both = or i64 %0, %b
  store i64 %both, ptr %to, align 8
  ret void
}
