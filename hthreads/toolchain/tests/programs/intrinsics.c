/* Intrinsics: those of the table, loads and stores, and the registers by which lanes are exchanged. */
#define TABLE "intrinsics.table.h"
#include <compiler/m3000.h>
#include "lanes.device.h"

/* Shifted windows of a row, for types of each size. */
__global__ void windows(double *in, double *out)
{
    double *am = vector_malloc(512);
    vector_load(in, am, 512);
    lvector double *p = (lvector double *)am, a;
    lvector float *q = (lvector float *)am, b;
    a = vec_ld(1, p);
    vector_store(&a, out, 128);
    b = vec_ld(-1, q + 1);
    vector_store(&b, out + 16, 128);
    a = vec_movi(2.5);
    vec_st(a, 3, p);
    b = vec_movi(1.5f);
    vec_st(b, 33, q);
    vector_store(am, out + 32, 512);
    vector_free(am);
}

/* A vector to the registers, and from them. */
#define THROUGH(kernel, type, to, from)                 \
    __global__ void kernel(type *in, type *out)         \
    {                                                   \
        lvector type a;                                 \
        vector_load(in, &a, 128);                       \
        to(a);                                          \
        mov_to_svr5(77);                                \
        a = from();                                     \
        vector_store(&a, out, 128);                     \
    }
THROUGH(through_v16df, double, mov_to_svr_v16df, mov_from_svr_v16df)
THROUGH(through_v16di, long, mov_to_svr_v16di, mov_from_svr_v16di)
THROUGH(through_v32sf, float, mov_to_svr_v32sf, mov_from_svr_v32sf)
THROUGH(through_v32si, int, mov_to_svr_v32si, mov_from_svr_v32si)
THROUGH(through_mvcgc, long, vec_mvcgc, mov_from_svr_v16di)
THROUGH(through_vmvcgc, double, vec_vmvcgc, mov_from_svr_v16df)

/* One register: what a vector left there, and what scalars do. */
#define SVR(kernel, n, to, from, to_df, from_df)        \
    __global__ void kernel(long *in, long *out)         \
    {                                                   \
        lvector long a;                                 \
        double number;                                  \
        vector_load(in, &a, 128);                       \
        mov_to_svr_v16di(a);                            \
        out[0] = from();                                \
        to(out[0] + 1);                                 \
        out[1] = from();                                \
        to_df(n + 0.5);                                 \
        number = from_df();                             \
        out[2] = (long)(2 * number);                    \
        a = mov_from_svr_v16di();                       \
        EXTRACT_VECTOR(a, n, number);                   \
        out[3] = (long)(4 * number);                    \
    }
SVR(svr0, 0, mov_to_svr0, mov_from_svr0, mov_to_svr0_df, mov_from_svr0_df)
SVR(svr1, 1, mov_to_svr1, mov_from_svr1, mov_to_svr1_df, mov_from_svr1_df)
SVR(svr2, 2, mov_to_svr2, mov_from_svr2, mov_to_svr2_df, mov_from_svr2_df)
SVR(svr3, 3, mov_to_svr3, mov_from_svr3, mov_to_svr3_df, mov_from_svr3_df)
SVR(svr4, 4, mov_to_svr4, mov_from_svr4, mov_to_svr4_df, mov_from_svr4_df)
SVR(svr5, 5, mov_to_svr5, mov_from_svr5, mov_to_svr5_df, mov_from_svr5_df)
SVR(svr6, 6, mov_to_svr6, mov_from_svr6, mov_to_svr6_df, mov_from_svr6_df)
SVR(svr7, 7, mov_to_svr7, mov_from_svr7, mov_to_svr7_df, mov_from_svr7_df)
SVR(svr8, 8, mov_to_svr8, mov_from_svr8, mov_to_svr8_df, mov_from_svr8_df)
SVR(svr9, 9, mov_to_svr9, mov_from_svr9, mov_to_svr9_df, mov_from_svr9_df)
SVR(svr10, 10, mov_to_svr10, mov_from_svr10, mov_to_svr10_df, mov_from_svr10_df)
SVR(svr11, 11, mov_to_svr11, mov_from_svr11, mov_to_svr11_df, mov_from_svr11_df)
SVR(svr12, 12, mov_to_svr12, mov_from_svr12, mov_to_svr12_df, mov_from_svr12_df)
SVR(svr13, 13, mov_to_svr13, mov_from_svr13, mov_to_svr13_df, mov_from_svr13_df)
SVR(svr14, 14, mov_to_svr14, mov_from_svr14, mov_to_svr14_df, mov_from_svr14_df)
SVR(svr15, 15, mov_to_svr15, mov_from_svr15, mov_to_svr15_df, mov_from_svr15_df)

/* Where a vector of another type is expected, the bits are taken as they are. */
static lvector long words_of(lvector long v) { return v; }
static lvector double numbers_of(lvector float v) { return v; }
static lvector int kept;
__global__ void reinterprets(double *in, double *out)
{
    lvector double a, *am = vector_malloc(128);
    vector_load(in, &a, 128);
    lvector long words = a;
    lvector float halves;
    halves = words_of(words_of(a) + words_of(words_of(halves = a)) - words);
    kept = words_of(halves);
    lvector unsigned long masks = vec_not(a);
    *am = vec_or(vec_not(masks), numbers_of(kept));
    vector_store(am, out, 128);
    a = vec_vmovc(vec_eq(words, a), numbers_of(halves), masks);
    vector_store(&a, out + 16, 128);
    vec_st(vec_shflr(words - words + 32, a), 0, am);
    vector_store(am, out + 32, 128);
    a = vec_vfabsd(words);
    vector_store(&a, out + 48, 128);
    /* Bits of numbers are numbers, as the first operand is. */
    a = vec_muli(vec_or(vec_and((lvector double)3.0, words - words + ~0L),
                        vec_xor(words, words)), (lvector double)2.0);
    halves = vec_xor(vec_not(vec_not(halves = 2.5f)), words - words);
    vector_store(&a, out + 64, 128);
    vector_store(&halves, out + 80, 128);
}
