; The divisor of each element is replaced separately.
define spir_kernel void @k(<2 x i16> %a, <2 x i16> %b, ptr addrspace(1) %p) {
entry:
  %quotient = sdiv <2 x i16> %a, %b
  store <2 x i16> %quotient, ptr addrspace(1) %p
  ret void
}

; ==== after ====
define spir_kernel void @k(<2 x i16> %a, <2 x i16> %b, ptr addrspace(1) %p) {
entry:
  %0 = icmp eq <2 x i16> %b, zeroinitializer
  %1 = icmp eq <2 x i16> %a, splat (i16 -32768)
  %2 = icmp eq <2 x i16> %b, splat (i16 -1)
  %3 = and <2 x i1> %1, %2
  %4 = or <2 x i1> %0, %3
  %5 = select <2 x i1> %4, <2 x i16> splat (i16 1), <2 x i16> %b
  %quotient = sdiv <2 x i16> %a, %5
  store <2 x i16> %quotient, ptr addrspace(1) %p, align 4
  ret void
}
