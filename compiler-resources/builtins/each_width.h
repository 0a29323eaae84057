// Includes BODY for scalars and for each vector width. In BODY, F, D, I, U, L and UL are
// float, double, int, uint, long and ulong of that width.
//
// Comparisons give 0 or 1 for scalars and 0 or -1 for vectors; `?:` accepts both. Rare cases
// are within `if (RARELY(...))`: vector code skips them if no lane needs them, and the cost model
// of the host does not count them.

#define PASTE(A, B) A##B
#define OF_WIDTH(A, B) PASTE(A, B)
#define F OF_WIDTH(float, WIDTH)
#define D OF_WIDTH(double, WIDTH)
#define I OF_WIDTH(int, WIDTH)
#define U OF_WIDTH(uint, WIDTH)
#define L OF_WIDTH(long, WIDTH)
#define UL OF_WIDTH(ulong, WIDTH)
#define AS(R, X) __builtin_astype(X, R)
#define RARELY(MASK) __builtin_expect(ANY(MASK), 0)
#define STEP static __attribute__((overloadable, always_inline))

#define WIDTH
#define TO(R, X) ((R)(X))
#define ANY(MASK) (MASK)
#include BODY
#undef WIDTH
#undef TO
#undef ANY

#define TO(R, X) __builtin_convertvector(X, R)
#define ANY(MASK) any(MASK)
#define WIDTH 2
#include BODY
#undef WIDTH
#define WIDTH 3
#include BODY
#undef WIDTH
#define WIDTH 4
#include BODY
#undef WIDTH
#define WIDTH 8
#include BODY
#undef WIDTH
#define WIDTH 16
#include BODY
#undef WIDTH
#undef TO
#undef ANY

#undef BODY
#undef RARELY
#undef STEP
#undef AS
#undef UL
#undef L
#undef U
#undef I
#undef D
#undef F
#undef OF_WIDTH
#undef PASTE
