/* Each intrinsic of compiler/m3000.h, compared with C of one lane. */
#include <compiler/m3000.h>
#include "hthread_device.h"
#include <math.h>

#define EXPECT(condition)                          \
    do {                                           \
        if (!(condition))                          \
            failed[get_thread_id()] = __LINE__;    \
    } while (0)

/* Each lane of a result. */
#define LANES(count, condition)                    \
    for (int i = 0; i < (count); i++)              \
    EXPECT(condition)

__global__ void memory(int *failed)
{
    double *numbers = vector_malloc(48 * sizeof(double));
    for (int i = 0; i < 48; i++)
        numbers[i] = i;
    lvector double *p = (lvector double *)numbers, a;
    a = vec_ld(1, p);
    LANES(16, a[i] == i + 1);
    a = vec_ld(15, p - 1 + 1);
    LANES(16, a[i] == i + 15);
    vec_st(a, 3, p);
    LANES(16, numbers[i + 3] == i + 15);
    lvector float *q = (lvector float *)numbers, b;
    b = vec_movi(2.5f);
    vec_st(b, 2, q);
    b = vec_ld(2, q);
    LANES(32, b[i] == 2.5f);
    vector_free(numbers);
}

__global__ void floating(int *failed)
{
    lvector double a, b, c, r;
    lvector float f, g, h, s;
    lvector long m;
    lvector int n;
    for (int i = 0; i < 16; i++)
        a[i] = i * 0.75 - 5, b[i] = 3 - i, c[i] = i % 3;
    for (int i = 0; i < 32; i++)
        f[i] = i * 0.5f - 7, g[i] = 9 - i, h[i] = i % 5;
    r = vec_svbcast(2.5);
    LANES(16, r[i] == 2.5);
    r = vec_mov(a);
    LANES(16, r[i] == a[i]);
    r = vec_add(a, b), s = vec_add(f, g);
    LANES(16, r[i] == a[i] + b[i]);
    LANES(32, s[i] == f[i] + g[i]);
    r = vec_muli(a, b), s = vec_muli(f, g);
    LANES(16, r[i] == a[i] * b[i]);
    LANES(32, s[i] == f[i] * g[i]);
    r = vec_mula(a, b, c), s = vec_mula(f, g, h);
    LANES(16, r[i] == fma(a[i], b[i], c[i]));
    LANES(32, s[i] == fmaf(f[i], g[i], h[i]));
    r = vec_mulb(a, b, c), s = vec_mulb(f, g, h);
    LANES(16, r[i] == fma(a[i], b[i], -c[i]));
    LANES(32, s[i] == fmaf(f[i], g[i], -h[i]));
    r = vec_max(a, b), s = vec_min(f, g);
    LANES(16, r[i] == (a[i] > b[i] ? a[i] : b[i]));
    LANES(32, s[i] == (f[i] < g[i] ? f[i] : g[i]));
    r = vec_abs(a), s = vec_neg(f);
    LANES(16, r[i] == fabs(a[i]));
    LANES(32, s[i] == -f[i]);
    m = vec_lt(a, b), n = vec_gt(f, g);
    LANES(16, m[i] == (a[i] < b[i]));
    LANES(32, n[i] == (f[i] > g[i]));
    r = vec_vmovc(m, a, b), s = vec_vmovc(n, f, g);
    LANES(16, r[i] == (a[i] < b[i] ? a[i] : b[i]));
    LANES(32, s[i] == (f[i] > g[i] ? f[i] : g[i]));
    m = vec_eq(c, vec_svbcast(1.0));
    LANES(16, m[i] == (c[i] == 1));
    r = vec_frcp(b + 20.0), s = vec_frsq(h + 1.0f);
    LANES(16, fabs(r[i] * (b[i] + 20) - 1) < 1e-15);
    LANES(32, fabs(s[i] * s[i] * (h[i] + 1) - 1) < 1e-6);
    m = vec_fti(a), n = vec_ftru(f);
    LANES(16, m[i] == (long)rint(a[i]));
    LANES(32, n[i] == (int)f[i]);
    r = vec_itf(m), s = vec_itf(n);
    LANES(16, r[i] == m[i]);
    LANES(32, s[i] == n[i]);
    r = vec_fstdl(f), a = vec_fstdh(f);
    LANES(16, r[i] == f[2 * i] && a[i] == f[2 * i + 1]);
}

__global__ void integers(int *failed)
{
    lvector long a, b, r, n;
    lvector unsigned int u, v, w;
    for (int i = 0; i < 16; i++)
        a[i] = (i - 7) * 1000003L, b[i] = i * 77 - 300, n[i] = i;
    for (int i = 0; i < 32; i++)
        u[i] = 0x80000000u + i, v[i] = i % 7;
    r = vec_svbcast(-3L);
    LANES(16, r[i] == -3);
    r = vec_mula(a, b, n);
    LANES(16, r[i] == a[i] * b[i] + i);
    r = vec_mulb(a, b, n);
    LANES(16, r[i] == a[i] * b[i] - i);
    r = vec_not(a);
    LANES(16, r[i] == ~a[i]);
    r = vec_and(a, b), w = vec_or(u, v);
    LANES(16, r[i] == (a[i] & b[i]));
    LANES(32, w[i] == (u[i] | v[i]));
    r = vec_xor(a, b);
    LANES(16, r[i] == (a[i] ^ b[i]));
    r = vec_shfll(n, b), w = vec_shflr(v, u);
    LANES(16, r[i] == (long)((unsigned long)b[i] << i));
    LANES(32, w[i] == u[i] >> (i % 7));
    r = vec_shfar(n, a);
    LANES(16, r[i] == a[i] >> i);
    r = vec_shflr(n, a);
    LANES(16, r[i] == (long)((unsigned long)a[i] >> i));
    w = vec_max(u, v);
    LANES(32, w[i] == u[i]);
    w = vec_eq(v, v);
    LANES(32, w[i] == 1);
}

__global__ void exchange(int *failed)
{
    lvector double a, b;
    lvector long c;
    lvector int d;
    lvector float e;
    for (int i = 0; i < 16; i++)
        a[i] = i * 1.5;
    mov_to_svr_v16df(a);
    EXPECT(mov_from_svr3_df() == 4.5);
    mov_to_svr2_df(-1.0);
    b = mov_from_svr_v16df();
    LANES(16, b[i] == (i == 2 ? -1.0 : a[i]));
    c = vec_svbcast(5);
    mov_to_svr_v16di(c);
    mov_to_svr0(7);
    c = mov_from_svr_v16di();
    LANES(16, c[i] == (i ? 5 : 7));
    for (int i = 0; i < 32; i++)
        d[i] = i, e[i] = i * 0.5f;
    mov_to_svr_v32si(d);
    /* The low half of a register is the even element. */
    EXPECT(mov_from_svr1() == 2 + (3L << 32));
    d = mov_from_svr_v32si();
    LANES(32, d[i] == i);
    mov_to_svr_v32sf(e);
    e = mov_from_svr_v32sf();
    LANES(32, e[i] == i * 0.5f);
    mov_to_svr0(0 + 100);
    EXPECT(mov_from_svr0() == 0 + 100);
    mov_to_svr0_df(0 + 0.5);
    EXPECT(mov_from_svr0_df() == 0 + 0.5);
    mov_to_svr1(1 + 100);
    EXPECT(mov_from_svr1() == 1 + 100);
    mov_to_svr1_df(1 + 0.5);
    EXPECT(mov_from_svr1_df() == 1 + 0.5);
    mov_to_svr2(2 + 100);
    EXPECT(mov_from_svr2() == 2 + 100);
    mov_to_svr2_df(2 + 0.5);
    EXPECT(mov_from_svr2_df() == 2 + 0.5);
    mov_to_svr3(3 + 100);
    EXPECT(mov_from_svr3() == 3 + 100);
    mov_to_svr3_df(3 + 0.5);
    EXPECT(mov_from_svr3_df() == 3 + 0.5);
    mov_to_svr4(4 + 100);
    EXPECT(mov_from_svr4() == 4 + 100);
    mov_to_svr4_df(4 + 0.5);
    EXPECT(mov_from_svr4_df() == 4 + 0.5);
    mov_to_svr5(5 + 100);
    EXPECT(mov_from_svr5() == 5 + 100);
    mov_to_svr5_df(5 + 0.5);
    EXPECT(mov_from_svr5_df() == 5 + 0.5);
    mov_to_svr6(6 + 100);
    EXPECT(mov_from_svr6() == 6 + 100);
    mov_to_svr6_df(6 + 0.5);
    EXPECT(mov_from_svr6_df() == 6 + 0.5);
    mov_to_svr7(7 + 100);
    EXPECT(mov_from_svr7() == 7 + 100);
    mov_to_svr7_df(7 + 0.5);
    EXPECT(mov_from_svr7_df() == 7 + 0.5);
    mov_to_svr8(8 + 100);
    EXPECT(mov_from_svr8() == 8 + 100);
    mov_to_svr8_df(8 + 0.5);
    EXPECT(mov_from_svr8_df() == 8 + 0.5);
    mov_to_svr9(9 + 100);
    EXPECT(mov_from_svr9() == 9 + 100);
    mov_to_svr9_df(9 + 0.5);
    EXPECT(mov_from_svr9_df() == 9 + 0.5);
    mov_to_svr10(10 + 100);
    EXPECT(mov_from_svr10() == 10 + 100);
    mov_to_svr10_df(10 + 0.5);
    EXPECT(mov_from_svr10_df() == 10 + 0.5);
    mov_to_svr11(11 + 100);
    EXPECT(mov_from_svr11() == 11 + 100);
    mov_to_svr11_df(11 + 0.5);
    EXPECT(mov_from_svr11_df() == 11 + 0.5);
    mov_to_svr12(12 + 100);
    EXPECT(mov_from_svr12() == 12 + 100);
    mov_to_svr12_df(12 + 0.5);
    EXPECT(mov_from_svr12_df() == 12 + 0.5);
    mov_to_svr13(13 + 100);
    EXPECT(mov_from_svr13() == 13 + 100);
    mov_to_svr13_df(13 + 0.5);
    EXPECT(mov_from_svr13_df() == 13 + 0.5);
    mov_to_svr14(14 + 100);
    EXPECT(mov_from_svr14() == 14 + 100);
    mov_to_svr14_df(14 + 0.5);
    EXPECT(mov_from_svr14_df() == 14 + 0.5);
    mov_to_svr15(15 + 100);
    EXPECT(mov_from_svr15() == 15 + 100);
    mov_to_svr15_df(15 + 0.5);
    EXPECT(mov_from_svr15_df() == 15 + 0.5);
}
