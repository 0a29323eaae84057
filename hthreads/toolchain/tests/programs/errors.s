; What errors.c does wrong in assembly.
	.text

; void conflicts(long x): two units write a register if x is not zero
	.global conflicts
conflicts:
	  SMOV R10, R0
	  SMOV R10, R20
	| [R0] SMOV R10, R21
	| [R0] SFADDD R10, R10, R22
	  SNOP 1
	  [R0] SMOV R10, R22
	  SBR R63
	  SNOP 6

; void conflicts_in_lanes(long x)
	.global conflicts_in_lanes
conflicts_in_lanes:
	  SMOV R10, R0
	  [R0] VMOVI 1, VR0
	| [R0] VMOVI 2, VR0
	  SBR R63
	  SNOP 6

; long loads(long *place)
	.global loads
loads:
	  SMVAGA R10, AR8
	  SNOP 1
	  SLDW *AR8, R10
	| SBR R63
	  SNOP 6

; void loads_lanes(void *place)
	.global loads_lanes
loads_lanes:
	  SMVAGA R10, AR0
	  SNOP 1
	  VLDW *AR0, VR0
	| SBR R63
	  SNOP 6

; void jumps(void *place)
	.global jumps
jumps:
	  SBR R10
	  SNOP 6

; void waits(void)
	.global waits
waits:
	  SWAIT
	  SBR R63
	  SNOP 6
