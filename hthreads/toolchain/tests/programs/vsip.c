#define TABLE "vsip.table.h"
#include <compiler/vsip.h>
#include "lanes.device.h"

/* Buffers are those of AM. */
__global__ void buffers(long *out)
{
    int all = get_am_free_space();
    long *first = vmalloc(1000);
    out[0] = all - get_am_free_space();
    vfree(first);
    out[1] = all - get_am_free_space();
    out[2] = first != NULL;
}

/* Complex numbers in arrays, of which the last vector is not full, also in place. */
#define NUMBERS 37
#define PLACES 48

static int is_near(double found, double expected)
{
    double difference = found - expected;
    return (difference < 0 ? -difference : difference) < 1e-12;
}

__global__ void complex(int *failed)
{
    double *arrays = vector_malloc(6 * PLACES * sizeof(double));
    double *ar = arrays, *ai = ar + PLACES, *br = ai + PLACES, *bi = br + PLACES, *rr = bi + PLACES, *ri = rr + PLACES;
    lvector double *ar_lanes = (void *)ar, *ai_lanes = (void *)ai, *br_lanes = (void *)br;
    lvector double *bi_lanes = (void *)bi, *rr_lanes = (void *)rr, *ri_lanes = (void *)ri;
    for (int i = 0; i < PLACES; i++) {
        ar[i] = i - 7;
        ai[i] = 0.5 * i + 1;
        br[i] = 3 - i;
        bi[i] = i + 0.25;
        rr[i] = ri[i] = 77;
    }
    for (int which = 0; which < 8; which++) {
        double sr = which == 2 || which == 3 ? 1.5 : 2, si = which == 2 || which == 3 ? -2.5 : 0;
        switch (which) {
        case 0: vsip_cvmul_d_v(ar_lanes, ai_lanes, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 1: vsip_cvdiv_d_v(ar_lanes, ai_lanes, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 2: vsip_csvmul_d_v(sr, si, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 3: vsip_csvdiv_d_v(sr, si, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 4: vsip_rcvmul_d_v(ar_lanes, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 5: vsip_rcvdiv_d_v(ar_lanes, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 6: vsip_crvdiv_d_v(ar_lanes, ai_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        case 7: vsip_rscvdiv_d_v(sr, br_lanes, bi_lanes, rr_lanes, ri_lanes, NUMBERS); break;
        }
        for (int i = 0; i < NUMBERS; i++) {
            int is_scalar = which == 2 || which == 3 || which == 7;
            double a_re = is_scalar ? sr : ar[i], a_im = which < 2 || which == 6 ? ai[i] : si;
            double b_re = which == 6 ? bi[i] : br[i], b_im = which == 6 ? 0 : bi[i], norm = b_re * b_re + b_im * b_im;
            int is_product = which == 0 || which == 2 || which == 4;
            double re = is_product ? a_re * b_re - a_im * b_im : (a_re * b_re + a_im * b_im) / norm;
            double im = is_product ? a_re * b_im + a_im * b_re : (a_im * b_re - a_re * b_im) / norm;
            if (!(is_near(rr[i], re) && is_near(ri[i], im)) && !failed[0])
                failed[0] = 100 * which + i + 1;
        }
    }
    if (rr[NUMBERS] != 77 || ri[NUMBERS] != 77)
        failed[0] = 1000;
    vsip_cvmul_d_v(ar_lanes, ai_lanes, br_lanes, bi_lanes, ar_lanes, ai_lanes, NUMBERS);
    if (!is_near(ar[5], -2 * -2 - 3.5 * 5.25) || !is_near(ai[5], -2 * 5.25 + 3.5 * -2))
        failed[0] = 1001;
}
