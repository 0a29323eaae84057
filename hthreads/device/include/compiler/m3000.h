/* The vector types of the machine, and those intrinsics of its own header that are supported. */
#ifndef C6XC_H
#define C6XC_H

#define lvector_float16 lvector __fp16

#define __HT_VECTOR static inline __attribute__((overloadable, always_inline, unused))

/* Offsets are multiples of 8 bytes for each type. */
#define vec_ld(offset, pointer) \
    (*(__typeof__(*(pointer)) *)((char *)(pointer) + 8 * (long)(offset)))
#define vec_st(value, offset, pointer) \
    ((void)(*(__typeof__(*(pointer)) *)((char *)(pointer) + 8 * (long)(offset)) = (value)))

/* A scalar, which is broadcast where a vector is expected. */
#define vec_movi(constant) (constant)

/* A 64-bit scalar in all lanes. */
__HT_VECTOR lvector double vec_svbcast(double value) { lvector double all; all = value; return all; }
__HT_VECTOR lvector long vec_svbcast(long value) { lvector long all; all = value; return all; }
__HT_VECTOR lvector long vec_svbcast(int value) { lvector long all; all = (long)value; return all; }
__HT_VECTOR lvector unsigned long vec_svbcast(unsigned long value) { lvector unsigned long all; all = value; return all; }

/* Arithmetic. Products and sums are fused. */
__HT_VECTOR lvector double vec_mov(lvector double a) { return a; }
__HT_VECTOR lvector double vec_add(lvector double a, lvector double b) { return a + b; }
__HT_VECTOR lvector double vec_muli(lvector double a, lvector double b) { return a * b; }
__HT_VECTOR lvector float vec_mov(lvector float a) { return a; }
__HT_VECTOR lvector float vec_add(lvector float a, lvector float b) { return a + b; }
__HT_VECTOR lvector float vec_muli(lvector float a, lvector float b) { return a * b; }
__HT_VECTOR lvector long vec_mov(lvector long a) { return a; }
__HT_VECTOR lvector long vec_add(lvector long a, lvector long b) { return a + b; }
__HT_VECTOR lvector long vec_muli(lvector long a, lvector long b) { return a * b; }
__HT_VECTOR lvector unsigned long vec_mov(lvector unsigned long a) { return a; }
__HT_VECTOR lvector unsigned long vec_add(lvector unsigned long a, lvector unsigned long b) { return a + b; }
__HT_VECTOR lvector unsigned long vec_muli(lvector unsigned long a, lvector unsigned long b) { return a * b; }
__HT_VECTOR lvector int vec_mov(lvector int a) { return a; }
__HT_VECTOR lvector int vec_add(lvector int a, lvector int b) { return a + b; }
__HT_VECTOR lvector int vec_muli(lvector int a, lvector int b) { return a * b; }
__HT_VECTOR lvector unsigned int vec_mov(lvector unsigned int a) { return a; }
__HT_VECTOR lvector unsigned int vec_add(lvector unsigned int a, lvector unsigned int b) { return a + b; }
__HT_VECTOR lvector unsigned int vec_muli(lvector unsigned int a, lvector unsigned int b) { return a * b; }
__HT_VECTOR lvector double vec_mula(lvector double a, lvector double b, lvector double c) { return __builtin_elementwise_fma(a, b, c); }
__HT_VECTOR lvector double vec_mulb(lvector double a, lvector double b, lvector double c) { return __builtin_elementwise_fma(a, b, -c); }
__HT_VECTOR lvector float vec_mula(lvector float a, lvector float b, lvector float c) { return __builtin_elementwise_fma(a, b, c); }
__HT_VECTOR lvector float vec_mulb(lvector float a, lvector float b, lvector float c) { return __builtin_elementwise_fma(a, b, -c); }
__HT_VECTOR lvector long vec_mula(lvector long a, lvector long b, lvector long c) { return a * b + c; }
__HT_VECTOR lvector long vec_mulb(lvector long a, lvector long b, lvector long c) { return a * b - c; }
__HT_VECTOR lvector unsigned long vec_mula(lvector unsigned long a, lvector unsigned long b, lvector unsigned long c) { return a * b + c; }
__HT_VECTOR lvector unsigned long vec_mulb(lvector unsigned long a, lvector unsigned long b, lvector unsigned long c) { return a * b - c; }
__HT_VECTOR lvector int vec_mula(lvector int a, lvector int b, lvector int c) { return a * b + c; }
__HT_VECTOR lvector int vec_mulb(lvector int a, lvector int b, lvector int c) { return a * b - c; }
__HT_VECTOR lvector unsigned int vec_mula(lvector unsigned int a, lvector unsigned int b, lvector unsigned int c) { return a * b + c; }
__HT_VECTOR lvector unsigned int vec_mulb(lvector unsigned int a, lvector unsigned int b, lvector unsigned int c) { return a * b - c; }
__HT_VECTOR lvector double vec_max(lvector double a, lvector double b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector double vec_min(lvector double a, lvector double b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector float vec_max(lvector float a, lvector float b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector float vec_min(lvector float a, lvector float b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector long vec_max(lvector long a, lvector long b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector long vec_min(lvector long a, lvector long b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector unsigned long vec_max(lvector unsigned long a, lvector unsigned long b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector unsigned long vec_min(lvector unsigned long a, lvector unsigned long b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector int vec_max(lvector int a, lvector int b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector int vec_min(lvector int a, lvector int b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector unsigned int vec_max(lvector unsigned int a, lvector unsigned int b) { return __builtin_elementwise_max(a, b); }
__HT_VECTOR lvector unsigned int vec_min(lvector unsigned int a, lvector unsigned int b) { return __builtin_elementwise_min(a, b); }
__HT_VECTOR lvector double vec_abs(lvector double a) { return __builtin_elementwise_abs(a); }
__HT_VECTOR lvector double vec_neg(lvector double a) { return -a; }
__HT_VECTOR lvector float vec_abs(lvector float a) { return __builtin_elementwise_abs(a); }
__HT_VECTOR lvector float vec_neg(lvector float a) { return -a; }
__HT_VECTOR lvector long vec_abs(lvector long a) { return __builtin_elementwise_abs(a); }
__HT_VECTOR lvector long vec_neg(lvector long a) { return -a; }
__HT_VECTOR lvector int vec_abs(lvector int a) { return __builtin_elementwise_abs(a); }
__HT_VECTOR lvector int vec_neg(lvector int a) { return -a; }

/* Comparisons: 1 where they hold, else 0. */
__HT_VECTOR lvector long vec_eq(lvector long a, lvector long b) { return (lvector long)(a == b) & 1; }
__HT_VECTOR lvector long vec_lt(lvector long a, lvector long b) { return (lvector long)(a < b) & 1; }
__HT_VECTOR lvector long vec_gt(lvector long a, lvector long b) { return (lvector long)(a > b) & 1; }
__HT_VECTOR lvector unsigned long vec_eq(lvector unsigned long a, lvector unsigned long b) { return (lvector unsigned long)(a == b) & 1; }
__HT_VECTOR lvector unsigned long vec_lt(lvector unsigned long a, lvector unsigned long b) { return (lvector unsigned long)(a < b) & 1; }
__HT_VECTOR lvector unsigned long vec_gt(lvector unsigned long a, lvector unsigned long b) { return (lvector unsigned long)(a > b) & 1; }
__HT_VECTOR lvector int vec_eq(lvector int a, lvector int b) { return (lvector int)(a == b) & 1; }
__HT_VECTOR lvector int vec_lt(lvector int a, lvector int b) { return (lvector int)(a < b) & 1; }
__HT_VECTOR lvector int vec_gt(lvector int a, lvector int b) { return (lvector int)(a > b) & 1; }
__HT_VECTOR lvector unsigned int vec_eq(lvector unsigned int a, lvector unsigned int b) { return (lvector unsigned int)(a == b) & 1; }
__HT_VECTOR lvector unsigned int vec_lt(lvector unsigned int a, lvector unsigned int b) { return (lvector unsigned int)(a < b) & 1; }
__HT_VECTOR lvector unsigned int vec_gt(lvector unsigned int a, lvector unsigned int b) { return (lvector unsigned int)(a > b) & 1; }
__HT_VECTOR lvector long vec_eq(lvector double a, lvector double b) { return (lvector long)(a == b) & 1; }
__HT_VECTOR lvector long vec_lt(lvector double a, lvector double b) { return (lvector long)(a < b) & 1; }
__HT_VECTOR lvector long vec_gt(lvector double a, lvector double b) { return (lvector long)(a > b) & 1; }
__HT_VECTOR lvector int vec_eq(lvector float a, lvector float b) { return (lvector int)(a == b) & 1; }
__HT_VECTOR lvector int vec_lt(lvector float a, lvector float b) { return (lvector int)(a < b) & 1; }
__HT_VECTOR lvector int vec_gt(lvector float a, lvector float b) { return (lvector int)(a > b) & 1; }

/* Bits; the amount of shifts comes first. */
__HT_VECTOR lvector long vec_not(lvector long a) { return ~a; }
__HT_VECTOR lvector long vec_and(lvector long a, lvector long b) { return a & b; }
__HT_VECTOR lvector long vec_or(lvector long a, lvector long b) { return a | b; }
__HT_VECTOR lvector long vec_xor(lvector long a, lvector long b) { return a ^ b; }
__HT_VECTOR lvector long vec_shfll(lvector long n, lvector long a) { return a << n; }
__HT_VECTOR lvector long vec_shflr(lvector long n, lvector long a) { return (lvector long)((lvector unsigned long)a >> (lvector unsigned long)n); }
__HT_VECTOR lvector long vec_shfar(lvector long n, lvector long a) { return (lvector long)((lvector long)a >> (lvector long)n); }
__HT_VECTOR lvector unsigned long vec_not(lvector unsigned long a) { return ~a; }
__HT_VECTOR lvector unsigned long vec_and(lvector unsigned long a, lvector unsigned long b) { return a & b; }
__HT_VECTOR lvector unsigned long vec_or(lvector unsigned long a, lvector unsigned long b) { return a | b; }
__HT_VECTOR lvector unsigned long vec_xor(lvector unsigned long a, lvector unsigned long b) { return a ^ b; }
__HT_VECTOR lvector unsigned long vec_shfll(lvector unsigned long n, lvector unsigned long a) { return a << n; }
__HT_VECTOR lvector unsigned long vec_shflr(lvector unsigned long n, lvector unsigned long a) { return (lvector unsigned long)((lvector unsigned long)a >> (lvector unsigned long)n); }
__HT_VECTOR lvector unsigned long vec_shfar(lvector unsigned long n, lvector unsigned long a) { return (lvector unsigned long)((lvector long)a >> (lvector long)n); }
__HT_VECTOR lvector int vec_not(lvector int a) { return ~a; }
__HT_VECTOR lvector int vec_and(lvector int a, lvector int b) { return a & b; }
__HT_VECTOR lvector int vec_or(lvector int a, lvector int b) { return a | b; }
__HT_VECTOR lvector int vec_xor(lvector int a, lvector int b) { return a ^ b; }
__HT_VECTOR lvector int vec_shfll(lvector int n, lvector int a) { return a << n; }
__HT_VECTOR lvector int vec_shflr(lvector int n, lvector int a) { return (lvector int)((lvector unsigned int)a >> (lvector unsigned int)n); }
__HT_VECTOR lvector int vec_shfar(lvector int n, lvector int a) { return (lvector int)((lvector int)a >> (lvector int)n); }
__HT_VECTOR lvector unsigned int vec_not(lvector unsigned int a) { return ~a; }
__HT_VECTOR lvector unsigned int vec_and(lvector unsigned int a, lvector unsigned int b) { return a & b; }
__HT_VECTOR lvector unsigned int vec_or(lvector unsigned int a, lvector unsigned int b) { return a | b; }
__HT_VECTOR lvector unsigned int vec_xor(lvector unsigned int a, lvector unsigned int b) { return a ^ b; }
__HT_VECTOR lvector unsigned int vec_shfll(lvector unsigned int n, lvector unsigned int a) { return a << n; }
__HT_VECTOR lvector unsigned int vec_shflr(lvector unsigned int n, lvector unsigned int a) { return (lvector unsigned int)((lvector unsigned int)a >> (lvector unsigned int)n); }
__HT_VECTOR lvector unsigned int vec_shfar(lvector unsigned int n, lvector unsigned int a) { return (lvector unsigned int)((lvector int)a >> (lvector int)n); }

/* Bits of numbers, which stay numbers. */
__HT_VECTOR lvector double vec_not(lvector double a) { return (lvector double)~(lvector long)a; }
__HT_VECTOR lvector double vec_and(lvector double a, lvector double b) { return (lvector double)((lvector long)a & (lvector long)b); }
__HT_VECTOR lvector double vec_or(lvector double a, lvector double b) { return (lvector double)((lvector long)a | (lvector long)b); }
__HT_VECTOR lvector double vec_xor(lvector double a, lvector double b) { return (lvector double)((lvector long)a ^ (lvector long)b); }
__HT_VECTOR lvector float vec_not(lvector float a) { return (lvector float)~(lvector int)a; }
__HT_VECTOR lvector float vec_and(lvector float a, lvector float b) { return (lvector float)((lvector int)a & (lvector int)b); }
__HT_VECTOR lvector float vec_or(lvector float a, lvector float b) { return (lvector float)((lvector int)a | (lvector int)b); }
__HT_VECTOR lvector float vec_xor(lvector float a, lvector float b) { return (lvector float)((lvector int)a ^ (lvector int)b); }

/* The first value where the predicate is not 0, else the second. */
__HT_VECTOR lvector double vec_vmovc(lvector long predicate, lvector double a, lvector double old)
{
    lvector long mask = (lvector long)(predicate != 0);
    return (lvector double)(((lvector long)a & mask) | ((lvector long)old & ~mask));
}
__HT_VECTOR lvector float vec_vmovc(lvector int predicate, lvector float a, lvector float old)
{
    lvector int mask = (lvector int)(predicate != 0);
    return (lvector float)(((lvector int)a & mask) | ((lvector int)old & ~mask));
}
__HT_VECTOR lvector long vec_vmovc(lvector long predicate, lvector long a, lvector long old)
{
    lvector long mask = (lvector long)(predicate != 0);
    return (lvector long)(((lvector long)a & mask) | ((lvector long)old & ~mask));
}
__HT_VECTOR lvector int vec_vmovc(lvector int predicate, lvector int a, lvector int old)
{
    lvector int mask = (lvector int)(predicate != 0);
    return (lvector int)(((lvector int)a & mask) | ((lvector int)old & ~mask));
}

/* Seeds of 1/x and 1/sqrt(x). Their accuracy is not published: here they are divisions. */
__HT_VECTOR lvector double vec_frcp(lvector double a) { return 1 / a; }
__HT_VECTOR lvector double vec_frsq(lvector double a) { return 1 / __builtin_elementwise_sqrt(a); }
__HT_VECTOR lvector float vec_frcp(lvector float a) { return 1 / a; }
__HT_VECTOR lvector float vec_frsq(lvector float a) { return 1 / __builtin_elementwise_sqrt(a); }

/* Conversions: to the nearest whole number, towards zero, from whole numbers. */
__HT_VECTOR lvector long vec_fti(lvector double a) { return __builtin_convertvector(__builtin_elementwise_roundeven(a), lvector long); }
__HT_VECTOR lvector long vec_ftru(lvector double a) { return __builtin_convertvector(a, lvector long); }
__HT_VECTOR lvector int vec_fti(lvector float a) { return __builtin_convertvector(__builtin_elementwise_roundeven(a), lvector int); }
__HT_VECTOR lvector int vec_ftru(lvector float a) { return __builtin_convertvector(a, lvector int); }
__HT_VECTOR lvector double vec_itf(lvector long a) { return __builtin_convertvector(a, lvector double); }
__HT_VECTOR lvector float vec_itf(lvector int a) { return __builtin_convertvector(a, lvector float); }

/* Single precision to double: the low halves of 64-bit lanes, and the high ones. */
__HT_VECTOR lvector double vec_fstdl(lvector float a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), lvector double);
}
__HT_VECTOR lvector double vec_fstdh(lvector float a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), lvector double);
}

/* SVR0 to SVR15, by which lanes and scalars are exchanged. */
void __ht_to_svr(const void *vector);
void __ht_from_svr(void *vector);
void __ht_set_svr(int number, long value);
long __ht_get_svr(int number);

__HT_VECTOR void mov_to_svr_v16df(lvector double vector) { __ht_to_svr(&vector); }
__HT_VECTOR lvector double mov_from_svr_v16df(void)
{
    lvector double vector;
    __ht_from_svr(&vector);
    return vector;
}
__HT_VECTOR void mov_to_svr_v16di(lvector long vector) { __ht_to_svr(&vector); }
__HT_VECTOR lvector long mov_from_svr_v16di(void)
{
    lvector long vector;
    __ht_from_svr(&vector);
    return vector;
}
__HT_VECTOR void mov_to_svr_v32si(lvector int vector) { __ht_to_svr(&vector); }
__HT_VECTOR lvector int mov_from_svr_v32si(void)
{
    lvector int vector;
    __ht_from_svr(&vector);
    return vector;
}
__HT_VECTOR void mov_to_svr_v32sf(lvector float vector) { __ht_to_svr(&vector); }
__HT_VECTOR lvector float mov_from_svr_v32sf(void)
{
    lvector float vector;
    __ht_from_svr(&vector);
    return vector;
}
__HT_VECTOR void mov_to_svr0(long value) { __ht_set_svr(0, value); }
__HT_VECTOR long mov_from_svr0(void) { return __ht_get_svr(0); }
__HT_VECTOR void mov_to_svr0_df(double value) { __ht_set_svr(0, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr0_df(void) { return ((union { long bits; double number; }){__ht_get_svr(0)}).number; }
__HT_VECTOR void mov_to_svr1(long value) { __ht_set_svr(1, value); }
__HT_VECTOR long mov_from_svr1(void) { return __ht_get_svr(1); }
__HT_VECTOR void mov_to_svr1_df(double value) { __ht_set_svr(1, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr1_df(void) { return ((union { long bits; double number; }){__ht_get_svr(1)}).number; }
__HT_VECTOR void mov_to_svr2(long value) { __ht_set_svr(2, value); }
__HT_VECTOR long mov_from_svr2(void) { return __ht_get_svr(2); }
__HT_VECTOR void mov_to_svr2_df(double value) { __ht_set_svr(2, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr2_df(void) { return ((union { long bits; double number; }){__ht_get_svr(2)}).number; }
__HT_VECTOR void mov_to_svr3(long value) { __ht_set_svr(3, value); }
__HT_VECTOR long mov_from_svr3(void) { return __ht_get_svr(3); }
__HT_VECTOR void mov_to_svr3_df(double value) { __ht_set_svr(3, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr3_df(void) { return ((union { long bits; double number; }){__ht_get_svr(3)}).number; }
__HT_VECTOR void mov_to_svr4(long value) { __ht_set_svr(4, value); }
__HT_VECTOR long mov_from_svr4(void) { return __ht_get_svr(4); }
__HT_VECTOR void mov_to_svr4_df(double value) { __ht_set_svr(4, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr4_df(void) { return ((union { long bits; double number; }){__ht_get_svr(4)}).number; }
__HT_VECTOR void mov_to_svr5(long value) { __ht_set_svr(5, value); }
__HT_VECTOR long mov_from_svr5(void) { return __ht_get_svr(5); }
__HT_VECTOR void mov_to_svr5_df(double value) { __ht_set_svr(5, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr5_df(void) { return ((union { long bits; double number; }){__ht_get_svr(5)}).number; }
__HT_VECTOR void mov_to_svr6(long value) { __ht_set_svr(6, value); }
__HT_VECTOR long mov_from_svr6(void) { return __ht_get_svr(6); }
__HT_VECTOR void mov_to_svr6_df(double value) { __ht_set_svr(6, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr6_df(void) { return ((union { long bits; double number; }){__ht_get_svr(6)}).number; }
__HT_VECTOR void mov_to_svr7(long value) { __ht_set_svr(7, value); }
__HT_VECTOR long mov_from_svr7(void) { return __ht_get_svr(7); }
__HT_VECTOR void mov_to_svr7_df(double value) { __ht_set_svr(7, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr7_df(void) { return ((union { long bits; double number; }){__ht_get_svr(7)}).number; }
__HT_VECTOR void mov_to_svr8(long value) { __ht_set_svr(8, value); }
__HT_VECTOR long mov_from_svr8(void) { return __ht_get_svr(8); }
__HT_VECTOR void mov_to_svr8_df(double value) { __ht_set_svr(8, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr8_df(void) { return ((union { long bits; double number; }){__ht_get_svr(8)}).number; }
__HT_VECTOR void mov_to_svr9(long value) { __ht_set_svr(9, value); }
__HT_VECTOR long mov_from_svr9(void) { return __ht_get_svr(9); }
__HT_VECTOR void mov_to_svr9_df(double value) { __ht_set_svr(9, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr9_df(void) { return ((union { long bits; double number; }){__ht_get_svr(9)}).number; }
__HT_VECTOR void mov_to_svr10(long value) { __ht_set_svr(10, value); }
__HT_VECTOR long mov_from_svr10(void) { return __ht_get_svr(10); }
__HT_VECTOR void mov_to_svr10_df(double value) { __ht_set_svr(10, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr10_df(void) { return ((union { long bits; double number; }){__ht_get_svr(10)}).number; }
__HT_VECTOR void mov_to_svr11(long value) { __ht_set_svr(11, value); }
__HT_VECTOR long mov_from_svr11(void) { return __ht_get_svr(11); }
__HT_VECTOR void mov_to_svr11_df(double value) { __ht_set_svr(11, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr11_df(void) { return ((union { long bits; double number; }){__ht_get_svr(11)}).number; }
__HT_VECTOR void mov_to_svr12(long value) { __ht_set_svr(12, value); }
__HT_VECTOR long mov_from_svr12(void) { return __ht_get_svr(12); }
__HT_VECTOR void mov_to_svr12_df(double value) { __ht_set_svr(12, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr12_df(void) { return ((union { long bits; double number; }){__ht_get_svr(12)}).number; }
__HT_VECTOR void mov_to_svr13(long value) { __ht_set_svr(13, value); }
__HT_VECTOR long mov_from_svr13(void) { return __ht_get_svr(13); }
__HT_VECTOR void mov_to_svr13_df(double value) { __ht_set_svr(13, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr13_df(void) { return ((union { long bits; double number; }){__ht_get_svr(13)}).number; }
__HT_VECTOR void mov_to_svr14(long value) { __ht_set_svr(14, value); }
__HT_VECTOR long mov_from_svr14(void) { return __ht_get_svr(14); }
__HT_VECTOR void mov_to_svr14_df(double value) { __ht_set_svr(14, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr14_df(void) { return ((union { long bits; double number; }){__ht_get_svr(14)}).number; }
__HT_VECTOR void mov_to_svr15(long value) { __ht_set_svr(15, value); }
__HT_VECTOR long mov_from_svr15(void) { return __ht_get_svr(15); }
__HT_VECTOR void mov_to_svr15_df(double value) { __ht_set_svr(15, ((union { double number; long bits; }){value}).bits); }
__HT_VECTOR double mov_from_svr15_df(void) { return ((union { long bits; double number; }){__ht_get_svr(15)}).number; }

#include <compiler/m3000_instructions.h>
#include <compiler/m3000_conditional.h>

#endif
