; Eight dependent multiply-adds: 6 cycles of latency each.

define void @k(ptr addrspace(3) %p, <16 x double> %x0, <16 x double> %a) {
  %x1 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x0, <16 x double> %a, <16 x double> %a)
  %x2 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x1, <16 x double> %a, <16 x double> %a)
  %x3 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x2, <16 x double> %a, <16 x double> %a)
  %x4 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x3, <16 x double> %a, <16 x double> %a)
  %x5 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x4, <16 x double> %a, <16 x double> %a)
  %x6 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x5, <16 x double> %a, <16 x double> %a)
  %x7 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x6, <16 x double> %a, <16 x double> %a)
  %x8 = call <16 x double> @llvm.fma.v16f64(<16 x double> %x7, <16 x double> %a, <16 x double> %a)
  store <16 x double> %x8, ptr addrspace(3) %p, align 128
  ret void
}

declare <16 x double> @llvm.fma.v16f64(<16 x double>, <16 x double>, <16 x double>)

; ==== after ====
; lanes 16, counters 1, code 40 bytes, stack 256 bytes
; %block: 49 cycles = 48 compute + 1 scratchpad + 0 outside; 10 operations, scratchpad bytes 128; 16 lanes: operations 9, double flops 16
