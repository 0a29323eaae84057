/* Functions of compiler/vsip.h: whole vectors, and then the elements that are left. */
#include <compiler/vsip.h>

#include "hthread_device.h"

typedef unsigned long ulong;

/* Elements of a vector. */
#define LANES(type) (128 / (int)sizeof(type))

/* Calls `step` with the number of each vector and of its elements that count. */
#define EACH(type, step)                                                          \
    for (int at = 0; n > 0; at++, n -= LANES(type)) {                             \
        int count = n < LANES(type) ? n : LANES(type);                            \
        step                                                                      \
    }

/* A vector of which only the elements that count are read; others are 0. */
#define READ(type, name, from)                                                    \
    lvector type name;                                                            \
    if (count == LANES(type)) {                                                   \
        name = from[at];                                                          \
    } else {                                                                      \
        name = 0;                                                                 \
        __builtin_memcpy(&name, &from[at], count * sizeof(type));                 \
    }
#define WRITE_TO(to, type, value)                                                 \
    {                                                                             \
        lvector type found;                                                       \
        found = value;                                                            \
        if (count == LANES(type))                                                 \
            to[at] = found;                                                       \
        else                                                                      \
            __builtin_memcpy(&to[at], &found, count * sizeof(type));              \
    }
#define WRITE(type, value) WRITE_TO(r, type, value)

/* Functions of each element of two arrays, of a scalar and an array, of an array, of a scalar. */
#define OF_TWO(name, result, type, value)                                         \
    void name(lvector type *x, lvector type *y, lvector result *r, int n) \
    {                                                                             \
        EACH(type, READ(type, a, x) READ(type, b, y) WRITE(result, value))        \
    }
#define OF_SCALAR_AND_ONE(name, type, value)                                      \
    void name(type scalar, lvector type *y, lvector type *r, int n)    \
    {                                                                             \
        EACH(type, READ(type, b, y) WRITE(type, value))                           \
    }
#define OF_ONE(name, type, value)                                                 \
    void name(lvector type *x, lvector type *r, int n)                 \
    {                                                                             \
        EACH(type, READ(type, a, x) WRITE(type, value))                           \
    }
#define OF_SCALAR(name, type)                                                     \
    void name(type scalar, lvector type *r, int n)                     \
    {                                                                             \
        EACH(type, WRITE(type, scalar))                                           \
    }

/* Functions of complex numbers. What they read is `a` and `b`, of which the parts follow. */
#define COMPLEX(name, a, b, reads, re, im)                                        \
    void name(a, b, lvector double *rr, lvector double *ri, int n)                \
    {                                                                             \
        EACH(double, reads WRITE_TO(rr, double, re) WRITE_TO(ri, double, im))     \
    }
#define PAIR_OF(type, x) type x##r, type x##i
#define ARRAY_PAIR(x) lvector double *x##r, lvector double *x##i
#define READ_PAIR(x) READ(double, x##_re, x##r) READ(double, x##_im, x##i)
#define NORM (b_re * b_re + b_im * b_im)

/* Sums of each element's value, of one array and of two. */
#define TOTAL(type, values)                                                       \
    lvector type sums;                                                            \
    sums = 0;                                                                     \
    EACH(type, values)                                                            \
    type total = 0;                                                               \
    for (int lane = 0; lane < LANES(type); lane++)                                \
        total += sums[lane];
#define SUM(name, result, type, value, of_total)                                  \
    result name(lvector type *x, int n)                                \
    {                                                                             \
        int all = n;                                                              \
        (void)all;                                                                \
        TOTAL(type, READ(type, a, x) sums = value;)                               \
        return (result)(of_total);                                                \
    }
#define DOT(name, type)                                                           \
    type name(lvector type *x, lvector type *y, unsigned long length)  \
    {                                                                             \
        int n = (int)length;                                                      \
        TOTAL(type, READ(type, a, x) READ(type, b, y) sums = vec_mula(a, b, sums);) \
        return total;                                                             \
    }

#define MAGNITUDE(which) __builtin_elementwise_##which(__builtin_elementwise_abs(a), __builtin_elementwise_abs(b))
#define IS(type, comparison) ((lvector type)(comparison) & 1)

void *vmalloc(int size) { return vector_malloc(size); }
void vfree(void *ptr) { vector_free(ptr); }

OF_TWO(vsip_vadd_d_v, double, double, a + b)
OF_SCALAR_AND_ONE(vsip_svadd_d_v, double, scalar + b)
OF_TWO(vsip_vhypot_d_v, double, double, __builtin_elementwise_sqrt(a * a + b * b))
OF_TWO(vsip_vhypot_f_v, float, float, __builtin_elementwise_sqrt(a * a + b * b))
OF_TWO(vsip_vmaxmg_d_v, double, double, MAGNITUDE(max))
OF_TWO(vsip_vmaxmg_f_v, float, float, MAGNITUDE(max))
OF_TWO(vsip_vminmg_d_v, double, double, MAGNITUDE(min))
OF_TWO(vsip_vminmg_f_v, float, float, MAGNITUDE(min))
OF_TWO(vsip_vleq_d_v, long, double, IS(long, a == b))
OF_TWO(vsip_vleq_f_v, int, float, IS(int, a == b))
OF_TWO(vsip_vleq_i_v, int, int, IS(int, a == b))
OF_TWO(vsip_vlge_d_v, long, double, IS(long, a >= b))
OF_TWO(vsip_vlge_f_v, int, float, IS(int, a >= b))
OF_TWO(vsip_vlge_i_v, int, int, IS(int, a >= b))
OF_TWO(vsip_vlgt_d_v, long, double, IS(long, a > b))
OF_TWO(vsip_vlgt_f_v, int, float, IS(int, a > b))
OF_TWO(vsip_vlgt_i_v, int, int, IS(int, a > b))
OF_TWO(vsip_vlle_d_v, long, double, IS(long, a <= b))
OF_TWO(vsip_vlle_f_v, int, float, IS(int, a <= b))
OF_TWO(vsip_vlle_i_v, int, int, IS(int, a <= b))
OF_TWO(vsip_vllt_d_v, long, double, IS(long, a < b))
OF_TWO(vsip_vllt_f_v, int, float, IS(int, a < b))
OF_TWO(vsip_vllt_i_v, int, int, IS(int, a < b))
OF_TWO(vsip_vlne_d_v, long, double, IS(long, a != b))
OF_TWO(vsip_vlne_f_v, int, float, IS(int, a != b))
OF_TWO(vsip_vlne_i_v, int, int, IS(int, a != b))
OF_TWO(vsip_vand_i_v, ulong, ulong, a & b)
OF_TWO(vsip_vor_i_v, ulong, ulong, a | b)
OF_TWO(vsip_vxor_i_v, ulong, ulong, a ^ b)
OF_ONE(vsip_vnot_i_v, ulong, ~a)
COMPLEX(vsip_cvmul_d_v, ARRAY_PAIR(a), ARRAY_PAIR(b), READ_PAIR(a) READ_PAIR(b),
        a_re * b_re - a_im * b_im, a_re * b_im + a_im * b_re)
COMPLEX(vsip_cvdiv_d_v, ARRAY_PAIR(a), ARRAY_PAIR(b), READ_PAIR(a) READ_PAIR(b),
        (a_re * b_re + a_im * b_im) / NORM, (a_im * b_re - a_re * b_im) / NORM)
COMPLEX(vsip_csvmul_d_v, PAIR_OF(double, s), ARRAY_PAIR(b), READ_PAIR(b),
        sr * b_re - si * b_im, sr * b_im + si * b_re)
COMPLEX(vsip_csvdiv_d_v, PAIR_OF(double, s), ARRAY_PAIR(b), READ_PAIR(b),
        (sr * b_re + si * b_im) / NORM, (si * b_re - sr * b_im) / NORM)
COMPLEX(vsip_rcvmul_d_v, lvector double *x, ARRAY_PAIR(b), READ(double, a, x) READ_PAIR(b),
        a * b_re, a * b_im)
COMPLEX(vsip_rcvdiv_d_v, lvector double *x, ARRAY_PAIR(b), READ(double, a, x) READ_PAIR(b),
        a * b_re / NORM, -a * b_im / NORM)
COMPLEX(vsip_crvdiv_d_v, ARRAY_PAIR(a), lvector double *x, READ_PAIR(a) READ(double, b, x),
        a_re / b, a_im / b)
COMPLEX(vsip_rscvdiv_d_v, double scalar, ARRAY_PAIR(b), READ_PAIR(b),
        scalar * b_re / NORM, -scalar * b_im / NORM)
OF_SCALAR(vsip_vfill_d_v, double)
OF_SCALAR(vsip_vfill_f_v, float)
OF_SCALAR(vsip_vfill_i_v, int)
SUM(vsip_vsumval_d_v, double, double, sums + a, total)
SUM(vsip_vsumval_f_v, float, float, sums + a, total)
SUM(vsip_vsumval_i_v, unsigned int, int, sums + a, total)
SUM(vsip_vsumsqval_d_v, double, double, vec_mula(a, a, sums), total)
SUM(vsip_vsumsqval_f_v, float, float, vec_mula(a, a, sums), total)
SUM(vsip_vmeanval_d_v, double, double, sums + a, total / all)
SUM(vsip_vmeanval_f_v, float, float, sums + a, total / all)
SUM(vsip_vmeansqval_d_v, double, double, vec_mula(a, a, sums), total / all)
SUM(vsip_vmeansqval_f_v, float, float, vec_mula(a, a, sums), total / all)
DOT(vsip_vdot_d_v, double)
DOT(vsip_vdot_f_v, float)
