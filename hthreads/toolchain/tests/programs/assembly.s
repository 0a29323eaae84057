; Functions in assembly that assembly.c calls, and a kernel.
	.file "assembly.s"
	.text

; void product(const double *a, const double *b, double *c, long k): c = a b, where a has 6 rows, and those of b have
; 3 vectors. `a` is in SM, by columns; `b` and `c` are in AM, by rows; k is even. Takes 14 + 6 k + 12 cycles. The two
; columns of `a` and rows of `b` after the last ones are loaded as well.
	.global product
	.type product, @function
product:
	  SMVAGA R10, AR8
	| SMVAGA R12, AR0
	| SMOVI 256, R30
	  SADD R30, R12, R31
	| SADD R30, R14, R32
	| SSHFLR 1, R16, R0
	  SMVAGA R31, AR1
	| SMVAGA R32, AR3
	  SMVAGA R14, AR2
	| SLDW *AR8++[1], R20
	| VMOVI 0, VR12
	| VMOVI 0, VR13
	| VMOVI 0, VR14
	  SLDW *AR8++[1], R21
	| VMOVI 0, VR16
	| VMOVI 0, VR17
	| VMOVI 0, VR18
	  SLDW *AR8++[1], R22
	| VLDDW *AR0++[24], VR9:VR8
	| VLDW *AR1++[48], VR10
	| VMOVI 0, VR20
	| VMOVI 0, VR21
	| VMOVI 0, VR22
	  SLDW *AR8++[1], R23
	| VMOVI 0, VR24
	| VMOVI 0, VR25
	| VMOVI 0, VR26
	  SLDW *AR8++[1], R24
	| VMOVI 0, VR28
	| VMOVI 0, VR29
	| VMOVI 0, VR30
	  SLDW *AR8++[1], R25
	| VMOVI 0, VR32
	| VMOVI 0, VR33
	| VMOVI 0, VR34
	  SLDW *AR8++[1], R20
	  SLDW *AR8++[1], R21
	| SVBCAST R20, VR0
	  SLDW *AR8++[1], R22
	| SVBCAST R21, VR1
	| VLDDW *AR0++[24], VR9:VR8
	| VLDW *AR1++[48], VR10
	  SLDW *AR8++[1], R23
	| SVBCAST R22, VR2
	  SLDW *AR8++[1], R24
	| SVBCAST R23, VR3
.Lsteps:
	  VFMULAD VR0, VR8, VR12, VR12
	| VFMULAD VR0, VR9, VR13, VR13
	| VFMULAD VR0, VR10, VR14, VR14
	| SLDW *AR8++[1], R25
	| SVBCAST R24, VR4
	| SSUB 1, R0, R0
	  VFMULAD VR1, VR8, VR16, VR16
	| VFMULAD VR1, VR9, VR17, VR17
	| VFMULAD VR1, VR10, VR18, VR18
	| SLDW *AR8++[1], R20
	| SVBCAST R25, VR5
	  VFMULAD VR2, VR8, VR20, VR20
	| VFMULAD VR2, VR9, VR21, VR21
	| VFMULAD VR2, VR10, VR22, VR22
	| SLDW *AR8++[1], R21
	| SVBCAST R20, VR0
	  VFMULAD VR3, VR8, VR24, VR24
	| VFMULAD VR3, VR9, VR25, VR25
	| VFMULAD VR3, VR10, VR26, VR26
	| SLDW *AR8++[1], R22
	| SVBCAST R21, VR1
	| VLDDW *AR0++[24], VR9:VR8
	| VLDW *AR1++[48], VR10
	  VFMULAD VR4, VR8, VR28, VR28
	| VFMULAD VR4, VR9, VR29, VR29
	| VFMULAD VR4, VR10, VR30, VR30
	| SLDW *AR8++[1], R23
	| SVBCAST R22, VR2
	  VFMULAD VR5, VR8, VR32, VR32
	| VFMULAD VR5, VR9, VR33, VR33
	| VFMULAD VR5, VR10, VR34, VR34
	| SLDW *AR8++[1], R24
	| SVBCAST R23, VR3
	| [R0] SBR .Lsteps
	  VFMULAD VR0, VR8, VR12, VR12
	| VFMULAD VR0, VR9, VR13, VR13
	| VFMULAD VR0, VR10, VR14, VR14
	| SLDW *AR8++[1], R25
	| SVBCAST R24, VR4
	  VFMULAD VR1, VR8, VR16, VR16
	| VFMULAD VR1, VR9, VR17, VR17
	| VFMULAD VR1, VR10, VR18, VR18
	| SLDW *AR8++[1], R20
	| SVBCAST R25, VR5
	  VFMULAD VR2, VR8, VR20, VR20
	| VFMULAD VR2, VR9, VR21, VR21
	| VFMULAD VR2, VR10, VR22, VR22
	| SLDW *AR8++[1], R21
	| SVBCAST R20, VR0
	  VFMULAD VR3, VR8, VR24, VR24
	| VFMULAD VR3, VR9, VR25, VR25
	| VFMULAD VR3, VR10, VR26, VR26
	| SLDW *AR8++[1], R22
	| SVBCAST R21, VR1
	| VLDDW *AR0++[24], VR9:VR8
	| VLDW *AR1++[48], VR10
	  VFMULAD VR4, VR8, VR28, VR28
	| VFMULAD VR4, VR9, VR29, VR29
	| VFMULAD VR4, VR10, VR30, VR30
	| SLDW *AR8++[1], R23
	| SVBCAST R22, VR2
	  VFMULAD VR5, VR8, VR32, VR32
	| VFMULAD VR5, VR9, VR33, VR33
	| VFMULAD VR5, VR10, VR34, VR34
	| SLDW *AR8++[1], R24
	| SVBCAST R23, VR3
	  VSTDW VR13:VR12, *AR2++[24]
	| VSTW VR14, *AR3++[48]
	  VSTDW VR17:VR16, *AR2++[24]
	| VSTW VR18, *AR3++[48]
	  VSTDW VR21:VR20, *AR2++[24]
	| VSTW VR22, *AR3++[48]
	  VSTDW VR25:VR24, *AR2++[24]
	| VSTW VR26, *AR3++[48]
	  VSTDW VR29:VR28, *AR2++[24]
	| VSTW VR30, *AR3++[48]
	  VSTDW VR33:VR32, *AR2++[24]
	| VSTW VR34, *AR3++[48]
	| SBR R63
	  SNOP 6

; void nothing(void)
	.global nothing
nothing:
	  SBR R63
	  SNOP 6

; long sum(long a, long b, ..., long h): 1 a + 2 b + 4 c + ... + 128 h
	.global sum
sum:
	  SSHFLL 1, R24, R24
	  SADD R22, R24, R24
	  SSHFLL 1, R24, R24
	  SADD R20, R24, R24
	  SSHFLL 1, R24, R24
	  SADD R18, R24, R24
	  SSHFLL 1, R24, R24
	  SADD R16, R24, R24
	  SSHFLL 1, R24, R24
	  SADD R14, R24, R24
	  SSHFLL 1, R24, R24
	  SADD R12, R24, R24
	  SSHFLL 1, R24, R24
	  SBR R63
	  SADD R10, R24, R10
	  SNOP 5

; double moved(double x, int by): shift(2 x, by), which is a function of C
	.global moved
moved:
	  SADDA -16, AR9, AR9
	| SFADDD R10, R10, R10
	  SNOP 1
	  SSTW R63, *AR9
	| SBR shift
	  SMOVI .Lmoved, R63
	  SNOP 5
.Lmoved:
	  SLDW *AR9, R63
	  SNOP 6
	  SBR R63
	  SADDA 16, AR9, AR9
	  SNOP 5

; long apply(long (*function)(long), long x)
	.global apply
apply:
	  SADDA -16, AR9, AR9
	| SMOV R12, R20
	  SNOP 1
	  SSTW R63, *AR9
	| SBR R10
	  SMOVI .Lapplied, R63
	| SMOV R20, R10
	  SNOP 5
.Lapplied:
	  SLDW *AR9, R63
	  SNOP 6
	  SBR R63
	  SADDA 16, AR9, AR9
	  SNOP 5

; long increment(long x)
	.global increment
increment:
	  SBR R63
	  SADD 1, R10, R10
	  SNOP 5

; long count(void): adds 1 to `total`, a variable of C, `own` and `in_gsm`; gives their sum
	.global count
count:
	  SMOVI total, R20
	| SMOVI own, R21
	| SMOVI in_gsm, R22
	  SMVAGA R20, AR10
	| SMVAGA R21, AR11
	  SMVAGA R22, AR12
	  SLDW *AR10, R20
	  SLDW *AR11, R21
	  SLDW *AR12, R22
	  SNOP 6
	  SADD 1, R20, R20
	| SADD 1, R21, R21
	  SADD 1, R22, R22
	| SADD R20, R21, R10
	| SSTW R20, *AR10
	  SADD R10, R22, R10
	| SSTW R21, *AR11
	  SSTW R22, *AR12
	| SBR R63
	  SNOP 6

; void fill(long *lanes, long x): stores x in the lanes of AM that are enabled
	.global fill
fill:
	  SMVAGA R10, AR0
	| SVBCAST R12, VR0
	  SNOP 3
	  VSTW VR0, *AR0
	| SBR R63
	  SNOP 6

; void enable(long mask): enables lanes
	.global enable
enable:
	  SMVCGC R10, VLR
	| SBR R63
	  SNOP 6

; void add_id(int *failed, long *words): a kernel; adds its number to the word of a thread
	.global add_id
add_id:
	  SADDA -16, AR9, AR9
	| SMOV R12, R33
	  SNOP 1
	  SSTW R63, *AR9
	| SBR get_thread_id
	  SMOVI .Lidentified, R63
	  SNOP 5
.Lidentified:
	  SSHFLL 3, R10, R20
	  SADD R20, R33, R33
	  SMVAGA R33, AR10
	  SNOP 1
	  SLDW *AR10, R20
	  SLDW *AR9, R63
	  SNOP 5
	  SADD R10, R20, R20
	  SSTW R20, *AR10
	| SBR R63
	  SADDA 16, AR9, AR9
	  SNOP 5

	.data
	.align 64
	.global own
own:
	.quad 7
	.global names
names:
	.quad own, total+8, increment
	.string "text"
	.section ._gsm.in_gsm, "aw", %nobits
	.global in_gsm
in_gsm:
	.space 8

