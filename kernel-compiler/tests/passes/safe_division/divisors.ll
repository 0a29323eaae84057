; A divisor of 0 becomes 1, and so does -1 if the dividend is the most negative number. Constant divisors
; other than 0 and -1 are not changed.
define spir_kernel void @k(i32 %a, i32 %b, i64 %c, i64 %d, ptr addrspace(1) %p) {
entry:
  %signed = sdiv i32 %a, %b
  %unsigned = urem i64 %c, %d
  %by_five = sdiv i32 %a, 5
  %by_minus_one = srem i32 %a, -1
  store i32 %signed, ptr addrspace(1) %p
  store i64 %unsigned, ptr addrspace(1) %p
  store i32 %by_five, ptr addrspace(1) %p
  store i32 %by_minus_one, ptr addrspace(1) %p
  ret void
}

; ==== after ====
define spir_kernel void @k(i32 %a, i32 %b, i64 %c, i64 %d, ptr addrspace(1) %p) {
entry:
  %0 = icmp eq i32 %b, 0
  %1 = icmp eq i32 %a, -2147483648
  %2 = icmp eq i32 %b, -1
  %3 = and i1 %1, %2
  %4 = or i1 %0, %3
  %5 = select i1 %4, i32 1, i32 %b
  %signed = sdiv i32 %a, %5
  %6 = icmp eq i64 %d, 0
  %7 = select i1 %6, i64 1, i64 %d
  %unsigned = urem i64 %c, %7
  %by_five = sdiv i32 %a, 5
  %8 = icmp eq i32 %a, -2147483648
  %9 = and i1 %8, true
  %10 = or i1 false, %9
  %11 = select i1 %10, i32 1, i32 -1
  %by_minus_one = srem i32 %a, %11
  store i32 %signed, ptr addrspace(1) %p, align 4
  store i64 %unsigned, ptr addrspace(1) %p, align 4
  store i32 %by_five, ptr addrspace(1) %p, align 4
  store i32 %by_minus_one, ptr addrspace(1) %p, align 4
  ret void
}
