; A source line's share of a block's cycles is that of its operations.

define void @k(ptr addrspace(3) %p, <16 x double> %x) !dbg !4 {
  %a = fmul <16 x double> %x, %x, !dbg !6
  %b = fmul <16 x double> %a, %x, !dbg !6
  %c = fdiv <16 x double> %b, %x, !dbg !7
  store <16 x double> %c, ptr addrspace(3) %p, align 128, !dbg !8
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "program.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILocation(line: 2, scope: !4)
!7 = !DILocation(line: 3, scope: !4)
!8 = !DILocation(line: 4, scope: !4)

; ==== after ====
; lanes 16, counters 1, code 56 bytes, stack 256 bytes
; %block: 73 cycles = 72 compute + 1 scratchpad + 0 outside; 14 operations, scratchpad bytes 128; 16 lanes: operations 13, double flops 3
; program.cl:2: of block 0 14 % compute, 0 % scratchpad, 13 % outside, 13 % barrier
; program.cl:3: of block 0 71 % compute, 0 % scratchpad, 66 % outside, 66 % barrier
; program.cl:4: of block 0 14 % compute, 100 % scratchpad, 19 % outside, 19 % barrier
