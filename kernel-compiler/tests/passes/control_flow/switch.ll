; A switch influences its cases.
define spir_kernel void @k(i32 %c) {
entry:
  switch i32 %c, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  br label %one
one:
  br label %meet
other:
  br label %meet
meet:
  ret void
}

; ==== after ====
; branch in %entry: influences %zero %one %other; joins at %meet
