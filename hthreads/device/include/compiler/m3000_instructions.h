/* The intrinsics that are named after an instruction, as far as its meaning and the order of its
 * operands are documented. Included by compiler/m3000.h. */
#ifndef M3000_INSTRUCTIONS_H
#define M3000_INSTRUCTIONS_H

typedef unsigned long __ht_ulong;
typedef unsigned int __ht_uint;
typedef unsigned short __ht_ushort;

/* Name, type of the result, type of the operands, result. Immediate operands are broadcast. */
#define __HT_ONE(name, result, type, value) \
    __HT_VECTOR lvector result name(lvector type a) { return value; }
#define __HT_TWO(name, result, type, value) \
    __HT_VECTOR lvector result name(lvector type a, lvector type b) { return value; }
#define __HT_THREE(name, result, type, value) \
    __HT_VECTOR lvector result name(lvector type a, lvector type b, lvector type c) { return value; }

/* 1 where a comparison holds, else 0. */
#define __HT_IS(type, comparison) ((lvector type)(comparison) & (type)1)

/* Elements of a vector, and a vector as one of another type. */
#define __HT_PARTS(vector, ...) __builtin_shufflevector(vector, vector, __VA_ARGS__)
#define __HT_16(first, step) \
    first, first + step, first + 2 * step, first + 3 * step, first + 4 * step, first + 5 * step, \
    first + 6 * step, first + 7 * step, first + 8 * step, first + 9 * step, first + 10 * step, \
    first + 11 * step, first + 12 * step, first + 13 * step, first + 14 * step, first + 15 * step
#define __HT_TWICE(n) n, n, n + 2, n + 2, n + 4, n + 4, n + 6, n + 6
#define __HT_FOUR_TIMES(n) n, n, n, n, n + 4, n + 4, n + 4, n + 4, n + 8, n + 8, n + 8, n + 8, \
    n + 12, n + 12, n + 12, n + 12
/* Element `n` of two of each pair of `a`, and of `b`. */
#define __HT_PAIRS(n) \
    __HT_PAIR(n, 0), __HT_PAIR(n, 2), __HT_PAIR(n, 4), __HT_PAIR(n, 6), __HT_PAIR(n, 8), \
    __HT_PAIR(n, 10), __HT_PAIR(n, 12), __HT_PAIR(n, 14), __HT_PAIR(n, 16), __HT_PAIR(n, 18), \
    __HT_PAIR(n, 20), __HT_PAIR(n, 22), __HT_PAIR(n, 24), __HT_PAIR(n, 26), __HT_PAIR(n, 28), \
    __HT_PAIR(n, 30)
#define __HT_PAIR(n, at) n + at, 32 + n + at

/* The mask of lanes: bit i enables lane i. Others keep what a variable or memory holds there. */
void __ht_set_lane_mask(unsigned long mask);
__HT_VECTOR void mov_to_vlr(unsigned long mask) { __ht_set_lane_mask(mask); }

/* Loads and stores; offsets are multiples of 8 bytes. */
#define __HT_LOAD(name, type) \
    __HT_VECTOR lvector type name(long offset, const void *p) { return vec_ld(offset, (lvector type *)p); }
#define __HT_STORE(name, type) \
    __HT_VECTOR void name(lvector type value, long offset, void *p) { vec_st(value, offset, (lvector type *)p); }
__HT_LOAD(vec_ldwdi, long)
__HT_LOAD(vec_ldwudi, __ht_ulong)
__HT_LOAD(vec_ldwdf, double)
__HT_LOAD(vec_vldwsi, int)
__HT_LOAD(vec_vldwusi, __ht_uint)
__HT_LOAD(vec_vldwsf, float)
__HT_LOAD(vec_lv64hi, short)
__HT_LOAD(vec_luv64hi, __ht_ushort)
__HT_LOAD(vec_lv64hf, __fp16)
__HT_STORE(vec_stwdi, long)
__HT_STORE(vec_stwudi, __ht_ulong)
__HT_STORE(vec_stwdf, double)
__HT_STORE(vec_vstwsi, int)
__HT_STORE(vec_vstwusi, __ht_uint)
__HT_STORE(vec_vstwsf, float)
__HT_STORE(vec_stv64hi, short)
__HT_STORE(vec_stuv64hi, __ht_ushort)
__HT_STORE(vec_stv64hf, __fp16)

/* A scalar in all elements. */
#define __HT_BROADCAST(name, type) \
    __HT_VECTOR lvector type name(type value) { lvector type all; all = value; return all; }
__HT_BROADCAST(vec_vsvbcast_di, long)
__HT_BROADCAST(vec_vsvbcast_udi, __ht_ulong)
__HT_BROADCAST(vec_vsvbcast_df, double)
__HT_BROADCAST(vec_vsvbcast_sdf2, float)
__HT_BROADCAST(vec_vmovidi, long)
__HT_BROADCAST(vec_vmoviudi, __ht_ulong)
__HT_BROADCAST(vec_vmovidf, double)
__HT_BROADCAST(vec_vmovi32si, int)
__HT_BROADCAST(vec_vmoviu32si, __ht_uint)
__HT_BROADCAST(vec_vmovi32sf, float)
__HT_BROADCAST(vec_vmovihi, short)
__HT_BROADCAST(vec_vmoviuhi, __ht_ushort)
__HT_BROADCAST(vec_vmovihf, _Float16)
__HT_BROADCAST(vec_vmovi24, long)

/* Copies. */
__HT_ONE(vec_vmovdi, long, long, a)
__HT_ONE(vec_vmovudi, __ht_ulong, __ht_ulong, a)
__HT_ONE(vec_vmovdf, double, double, a)
__HT_ONE(vec_vmov32si, int, int, a)
__HT_ONE(vec_vmovu32si, __ht_uint, __ht_uint, a)
__HT_ONE(vec_vmov32sf, float, float, a)
__HT_ONE(vec_vmovhi, short, short, a)
__HT_ONE(vec_vmovuhi, __ht_ushort, __ht_ushort, a)
__HT_ONE(vec_vmovhf, __fp16, __fp16, a)

/* The first value where the predicate is not 0, else the second. */
__HT_VECTOR lvector __ht_ulong vec_vmovcu(lvector long predicate, lvector __ht_ulong a, lvector __ht_ulong old)
{
    return (lvector __ht_ulong)vec_vmovc(predicate, (lvector long)a, (lvector long)old);
}
__HT_VECTOR lvector double vec_vmovcdf(lvector long predicate, lvector double a, lvector double old)
{
    return vec_vmovc(predicate, a, old);
}

/* Floating-point arithmetic. Products and sums are fused. */
__HT_TWO(vec_vfmuld, double, double, a * b)
__HT_TWO(vec_vfmuls32, float, float, a * b)
__HT_TWO(vec_vfmulh16, __fp16, __fp16, a * b)
__HT_TWO(vec_vfaddh16, __fp16, __fp16, a + b)
__HT_THREE(vec_vfmulad, double, double, __builtin_elementwise_fma(a, b, c))
__HT_THREE(vec_vfmulas32, float, float, __builtin_elementwise_fma(a, b, c))
__HT_THREE(vec_vfmulah16, __fp16, __fp16, __builtin_elementwise_fma(a, b, c))
__HT_THREE(vec_vfmulbd, double, double, __builtin_elementwise_fma(a, b, -c))
__HT_THREE(vec_vfmulbs32, float, float, __builtin_elementwise_fma(a, b, -c))
__HT_THREE(vec_vfmulbh16, __fp16, __fp16, __builtin_elementwise_fma(a, b, -c))
__HT_TWO(vec_vfmax16, __fp16, __fp16, __builtin_elementwise_max(a, b))
__HT_ONE(vec_vfabsd, double, double, __builtin_elementwise_abs(a))
__HT_ONE(vec_vfabss32, float, float, __builtin_elementwise_abs(a))
__HT_ONE(vec_vfabsh16, __fp16, __fp16, __builtin_elementwise_abs(a))
__HT_ONE(vec_negdf, double, double, -a)
__HT_ONE(vec_neg32sf, float, float, -a)
__HT_ONE(vec_vfrcpd, double, double, 1 / a)
__HT_ONE(vec_vfrcps32, float, float, 1 / a)
__HT_ONE(vec_vfrsqd, double, double, 1 / __builtin_elementwise_sqrt(a))
__HT_ONE(vec_vfrsqs32, float, float, 1 / __builtin_elementwise_sqrt(a))
__HT_TWO(vec_vfcmped, long, double, __HT_IS(long, a == b))
__HT_TWO(vec_vfcmpgd, long, double, __HT_IS(long, a > b))
__HT_TWO(vec_vfcmpld, long, double, __HT_IS(long, a < b))
__HT_TWO(vec_vfcmpes32, int, float, __HT_IS(int, a == b))
__HT_TWO(vec_vfcmpgs32, int, float, __HT_IS(int, a > b))
__HT_TWO(vec_vfcmpls32, int, float, __HT_IS(int, a < b))
__HT_TWO(vec_vfcmpeh16, short, __fp16, __HT_IS(short, a == b))
__HT_TWO(vec_vfcmpgh16, short, __fp16, __HT_IS(short, a > b))
__HT_TWO(vec_vfcmplh16, short, __fp16, __HT_IS(short, a < b))

/* Fields of the bits: mantissa and exponent, as they are stored. */
__HT_ONE(vec_fman, long, double, (lvector long)a & 0xfffffffffffffL)
__HT_ONE(vec_fman, int, float, (lvector int)a & 0x7fffff)
__HT_ONE(vec_fman, short, __fp16, (lvector short)a & (short)0x3ff)
__HT_ONE(vec_flog, long, double, ((lvector long)a >> 52) & 0x7ffL)
__HT_ONE(vec_flog, int, float, ((lvector int)a >> 23) & 0xff)
__HT_ONE(vec_flog, short, __fp16, ((lvector short)a >> (short)10) & (short)0x1f)
__HT_ONE(vec_vfmand, long, double, vec_fman(a))
__HT_ONE(vec_vfmans32, int, float, vec_fman(a))
__HT_ONE(vec_vfmanh16, short, __fp16, vec_fman(a))
__HT_ONE(vec_vflogd, long, double, vec_flog(a))
__HT_ONE(vec_vflogs32, int, float, vec_flog(a))
__HT_ONE(vec_vflogh16, short, __fp16, vec_flog(a))

/* Conversions: to the nearest whole number, towards zero, from whole numbers, and to more bits. */
#define __HT_ROUNDED(result) __builtin_convertvector(__builtin_elementwise_roundeven(a), lvector result)
#define __HT_CONVERTED(result) __builtin_convertvector(a, lvector result)
__HT_ONE(vec_vfdint, long, double, __HT_ROUNDED(long))
__HT_ONE(vec_vfsint32, int, float, __HT_ROUNDED(int))
__HT_ONE(vec_vfhint16, short, __fp16, __HT_ROUNDED(short))
__HT_ONE(vec_vfdtru, long, double, __HT_CONVERTED(long))
__HT_ONE(vec_vfdtru32, int, float, __HT_CONVERTED(int))
__HT_ONE(vec_vfhtru16, short, __fp16, __HT_CONVERTED(short))
__HT_ONE(vec_vfintd, double, long, __HT_CONVERTED(double))
__HT_ONE(vec_vfintdu, double, __ht_ulong, __HT_CONVERTED(double))
__HT_ONE(vec_vfints32, float, int, __HT_CONVERTED(float))
__HT_ONE(vec_vfintsu32, float, __ht_uint, __HT_CONVERTED(float))
__HT_ONE(vec_vfinth16, __fp16, short, __HT_CONVERTED(__fp16))
__HT_ONE(vec_vfinthu16, __fp16, __ht_ushort, __HT_CONVERTED(__fp16))
__HT_ONE(vec_vfspdp32t, double, float, vec_fstdl(a))
__HT_ONE(vec_vfsphdp32t, double, float, vec_fstdh(a))
__HT_ONE(vec_fstdl, float, __fp16, __builtin_convertvector(__HT_PARTS(a, __HT_16(0, 2), __HT_16(32, 2)), lvector float))
__HT_ONE(vec_fstdh, float, __fp16, __builtin_convertvector(__HT_PARTS(a, __HT_16(1, 2), __HT_16(33, 2)), lvector float))
__HT_ONE(vec_vfhpsp16l, float, __fp16, vec_fstdl(a))
__HT_ONE(vec_vfhpsp16h, float, __fp16, vec_fstdh(a))

/* Whole numbers. */
__HT_TWO(vec_add_3, long, long, a + b)
__HT_TWO(vec_addu_3, __ht_ulong, __ht_ulong, a + b)
__HT_TWO(vec_add32_3, int, int, a + b)
__HT_TWO(vec_addu32_3, __ht_uint, __ht_uint, a + b)
__HT_TWO(vec_addim_3, long, long, a + b)
__HT_TWO(vec_adduim_3, __ht_ulong, __ht_ulong, a + b)
__HT_TWO(vec_add32im_3, int, int, a + b)
__HT_TWO(vec_addu32im_3, __ht_uint, __ht_uint, a + b)
__HT_ONE(vec_vneg, long, long, -a)
__HT_ONE(vec_vneg32, int, int, -a)
__HT_ONE(vec_vabs, long, long, __builtin_elementwise_abs(a))
__HT_ONE(vec_vabs32, int, int, __builtin_elementwise_abs(a))
__HT_TWO(vec_vmax, long, long, __builtin_elementwise_max(a, b))
__HT_TWO(vec_vmaxu, __ht_ulong, __ht_ulong, __builtin_elementwise_max(a, b))
__HT_TWO(vec_vmax32, int, int, __builtin_elementwise_max(a, b))
__HT_TWO(vec_vmaxu32, __ht_uint, __ht_uint, __builtin_elementwise_max(a, b))
__HT_TWO(vec_vmin, long, long, __builtin_elementwise_min(a, b))
__HT_TWO(vec_vminu, __ht_ulong, __ht_ulong, __builtin_elementwise_min(a, b))
__HT_TWO(vec_vmin32, int, int, __builtin_elementwise_min(a, b))
__HT_TWO(vec_vminu32, __ht_uint, __ht_uint, __builtin_elementwise_min(a, b))
__HT_TWO(vec_veq, long, long, __HT_IS(long, a == b))
__HT_TWO(vec_vequ, __ht_ulong, __ht_ulong, __HT_IS(__ht_ulong, a == b))
__HT_TWO(vec_veqim, long, long, __HT_IS(long, a == b))
__HT_TWO(vec_veq32, int, int, __HT_IS(int, a == b))
__HT_TWO(vec_veq32u, __ht_uint, __ht_uint, __HT_IS(__ht_uint, a == b))
__HT_TWO(vec_veq32im, int, int, __HT_IS(int, a == b))
__HT_TWO(vec_vlt, long, long, __HT_IS(long, a < b))
__HT_TWO(vec_vltu, __ht_ulong, __ht_ulong, __HT_IS(__ht_ulong, a < b))
__HT_TWO(vec_vlt32, int, int, __HT_IS(int, a < b))
__HT_TWO(vec_vltu32, __ht_uint, __ht_uint, __HT_IS(__ht_uint, a < b))

/* Bits. The amount of a shift comes first. */
__HT_TWO(vec_vand, long, long, a & b)
__HT_TWO(vec_vandim, long, long, a & b)
__HT_TWO(vec_vor, long, long, a | b)
__HT_TWO(vec_vorim, long, long, a | b)
__HT_TWO(vec_vxor, long, long, a ^ b)
__HT_TWO(vec_vxorim, long, long, a ^ b)
__HT_ONE(vec_vnot, long, long, ~a)
__HT_ONE(vec_vnotim, long, long, ~a)
__HT_TWO(vec_vshfll, long, long, b << a)
__HT_TWO(vec_vshfllim, long, long, b << a)
__HT_TWO(vec_vshfll32, int, int, b << a)
__HT_TWO(vec_vshfll32im, int, int, b << a)
__HT_TWO(vec_vshflr, long, long, vec_shflr(a, b))
__HT_TWO(vec_vshflrim, long, long, vec_shflr(a, b))
__HT_TWO(vec_vshflr32, int, int, vec_shflr(a, b))
__HT_TWO(vec_vshflr32im, int, int, vec_shflr(a, b))
__HT_TWO(vec_vshfar, long, long, b >> a)
__HT_TWO(vec_vshfarim, long, long, b >> a)
__HT_TWO(vec_vshfar32, int, int, b >> a)
__HT_TWO(vec_vshfar32im, int, int, b >> a)
__HT_ONE(vec_lzd, long, long, __builtin_elementwise_clzg(a, (lvector long)(64 + 0 * a)))
__HT_ONE(vec_lzd, int, int, __builtin_elementwise_clzg(a, (lvector int)(32 + 0 * a)))
__HT_ONE(vec_vlzd, long, long, vec_lzd(a))
__HT_ONE(vec_vlzd32, int, int, vec_lzd(a))

/* Parts of lanes: the low 32 bits of two lanes, the high ones, the halves exchanged, and one part in
 * all places. */
#define __HT_PACKED(type)                                                                      \
    __HT_TWO(vec_bale2, type, type, __builtin_shufflevector(a, b, __HT_PAIRS(0)))              \
    __HT_TWO(vec_vbale2, type, type, vec_bale2(a, b))                                          \
    __HT_TWO(vec_bale2h, type, type, __builtin_shufflevector(a, b, __HT_PAIRS(1)))             \
    __HT_TWO(vec_vbale2h, type, type, vec_bale2h(a, b))                                        \
    __HT_ONE(vec_itl2, type, type,                                                             \
             __HT_PARTS(a, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19,   \
                        18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30))                   \
    __HT_ONE(vec_vitl2, type, type, vec_itl2(a))                                               \
    __HT_ONE(vec_fexts32l, type, type,                                                         \
             __HT_PARTS(a, __HT_TWICE(0), __HT_TWICE(8), __HT_TWICE(16), __HT_TWICE(24)))      \
    __HT_ONE(vec_vfexts32l, type, type, vec_fexts32l(a))                                       \
    __HT_ONE(vec_fexts32h, type, type,                                                         \
             __HT_PARTS(a, __HT_TWICE(1), __HT_TWICE(9), __HT_TWICE(17), __HT_TWICE(25)))      \
    __HT_ONE(vec_vfexts32h, type, type, vec_fexts32h(a))
__HT_PACKED(float)
__HT_PACKED(int)
/* Lanes of 64 bits have these parts, too. */
#define __HT_PACKED_LANES(type)                                                                \
    __HT_TWO(vec_bale2, type, type, (lvector type)vec_bale2((lvector int)a, (lvector int)b))   \
    __HT_TWO(vec_vbale2, type, type, vec_bale2(a, b))                                          \
    __HT_TWO(vec_bale2h, type, type, (lvector type)vec_bale2h((lvector int)a, (lvector int)b)) \
    __HT_TWO(vec_vbale2h, type, type, vec_bale2h(a, b))                                        \
    __HT_ONE(vec_itl2, type, type, (lvector type)vec_itl2((lvector int)a))                     \
    __HT_ONE(vec_vitl2, type, type, vec_itl2(a))
__HT_PACKED_LANES(long)
__HT_PACKED_LANES(double)
#define __HT_SPREAD(name, first)                                                               \
    __HT_ONE(name, __fp16, __fp16,                                                             \
             __HT_PARTS(a, __HT_FOUR_TIMES(first), __HT_FOUR_TIMES(16 + first),                \
                        __HT_FOUR_TIMES(32 + first), __HT_FOUR_TIMES(48 + first)))
__HT_SPREAD(vec_fexth16ll, 0)
__HT_SPREAD(vec_vfexth16ll, 0)
__HT_SPREAD(vec_fexth16lh, 1)
__HT_SPREAD(vec_vfexth16lh, 1)
__HT_SPREAD(vec_fexth16hl, 2)
__HT_SPREAD(vec_vfexth16hl, 2)
__HT_SPREAD(vec_fexth16hh, 3)
__HT_SPREAD(vec_vfexth16hh, 3)

/* Half precision, of functions that compiler/m3000.h has for other types. */
__HT_ONE(vec_mov, __fp16, __fp16, a)
__HT_ONE(vec_abs, __fp16, __fp16, __builtin_elementwise_abs(a))
__HT_ONE(vec_neg, __fp16, __fp16, -a)
__HT_TWO(vec_add, __fp16, __fp16, a + b)
__HT_TWO(vec_muli, __fp16, __fp16, a * b)
__HT_THREE(vec_mula, __fp16, __fp16, __builtin_elementwise_fma(a, b, c))
__HT_THREE(vec_mulb, __fp16, __fp16, __builtin_elementwise_fma(a, b, -c))
__HT_TWO(vec_max, __fp16, __fp16, vec_vfmax16(a, b))
__HT_TWO(vec_eq, short, __fp16, vec_vfcmpeh16(a, b))
__HT_TWO(vec_gt, short, __fp16, vec_vfcmpgh16(a, b))
__HT_TWO(vec_lt, short, __fp16, vec_vfcmplh16(a, b))
__HT_ONE(vec_fti, short, __fp16, vec_vfhint16(a))
__HT_ONE(vec_ftru, short, __fp16, vec_vfhtru16(a))
__HT_ONE(vec_itf, __fp16, short, vec_vfinth16(a))

/* To SVR0 to SVR15. */
__HT_VECTOR void vec_mvcgc(lvector double a) { mov_to_svr_v16df(a); }
__HT_VECTOR void vec_mvcgc(lvector long a) { mov_to_svr_v16di(a); }
__HT_VECTOR void vec_mvcgc(lvector float a) { mov_to_svr_v32sf(a); }
__HT_VECTOR void vec_mvcgc(lvector int a) { mov_to_svr_v32si(a); }
__HT_VECTOR void vec_vmvcgc(lvector double a) { mov_to_svr_v16df(a); }

#endif
