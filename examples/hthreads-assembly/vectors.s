; void axpy(double a, const double *x, double *y, long vectors): y = a x + y for vectors of 16 numbers in AM.
; Takes 4 + 16 cycles a vector + 7.
	.text
	.global axpy
	.type axpy, @function
axpy:
	  SVBCAST R10, VR0
	| SMVAGA R12, AR0
	| SMOV R16, R0
	  SMVAGA R14, AR1
	| SMVAGA R14, AR2
	  SNOP 2
.Lvector:
	  VLDW *AR0++[16], VR1
	| VLDW *AR1++[16], VR2
	| SSUB 1, R0, R0
	  SNOP 8
	  VFMULAD VR0, VR1, VR2, VR3
	| [R0] SBR .Lvector
	  SNOP 5
	  VSTW VR3, *AR2++[16]
	  SBR R63
	  SNOP 6
