; A loop in assembly whose events profile.host.c counts.
	.file "profile.s"
	.text

; void steps(long n, const long *data): n iterations of 7 cycles. Each has two packets with instructions and one without,
; loads twice from a line of 64 bytes, and branches, apart from the last.
	.global steps
	.type steps, @function
steps:
	  SMVAGA R12, AR8
	| SSUB 1, R10, R0
	  SNOP 4
.Lsteps:
	  SLDW *AR8++[1], R20
	| SSUB 1, R0, R0
	| [R0] SBR .Lsteps
	  SLDW *AR8++[7], R21
	  SNOP 5
	  SBR R63
	  SNOP 6
