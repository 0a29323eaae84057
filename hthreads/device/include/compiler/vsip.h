/* Functions on arrays in AM, named after those of VSIPL. `n` counts elements. Comparisons give 1 or 0.
 * Those of complex numbers in single precision, of half vectors, and those whose arguments are not documented are missing. */
#ifndef VSIP_H
#define VSIP_H

#include <compiler/m3000.h>

/* Buffers in AM. */
void *vmalloc(int size);
void vfree(void *ptr);

/* r = f(a, b), and r = f(scalar, b). */
void vsip_vadd_d_v(lvector double *a, lvector double *b, lvector double *r, int n);
void vsip_svadd_d_v(double scalar, lvector double *b, lvector double *r, int n);
void vsip_vhypot_d_v(lvector double *a, lvector double *b, lvector double *r, int n);
void vsip_vhypot_f_v(lvector float *a, lvector float *b, lvector float *r, int n);
void vsip_vmaxmg_d_v(lvector double *a, lvector double *b, lvector double *r, int n);
void vsip_vmaxmg_f_v(lvector float *a, lvector float *b, lvector float *r, int n);
void vsip_vminmg_d_v(lvector double *a, lvector double *b, lvector double *r, int n);
void vsip_vminmg_f_v(lvector float *a, lvector float *b, lvector float *r, int n);
void vsip_vleq_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vleq_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vleq_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vlge_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vlge_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vlge_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vlgt_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vlgt_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vlgt_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vlle_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vlle_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vlle_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vllt_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vllt_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vllt_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vlne_d_v(lvector double *a, lvector double *b, lvector long *r, int n);
void vsip_vlne_f_v(lvector float *a, lvector float *b, lvector int *r, int n);
void vsip_vlne_i_v(lvector int *a, lvector int *b, lvector int *r, int n);
void vsip_vand_i_v(lvector unsigned long *a, lvector unsigned long *b, lvector unsigned long *r, int n);
void vsip_vor_i_v(lvector unsigned long *a, lvector unsigned long *b, lvector unsigned long *r, int n);
void vsip_vxor_i_v(lvector unsigned long *a, lvector unsigned long *b, lvector unsigned long *r, int n);
void vsip_vnot_i_v(lvector unsigned long *a, lvector unsigned long *r, int n);

/* Complex numbers, with real and imaginary parts in arrays of their own: products and quotients, also of a scalar (s),
 * and with real numbers (r). */
void vsip_cvmul_d_v(lvector double *ar, lvector double *ai, lvector double *br, lvector double *bi,
                    lvector double *rr, lvector double *ri, int n);
void vsip_cvdiv_d_v(lvector double *ar, lvector double *ai, lvector double *br, lvector double *bi,
                    lvector double *rr, lvector double *ri, int n);
void vsip_csvmul_d_v(double sr, double si, lvector double *br, lvector double *bi,
                     lvector double *rr, lvector double *ri, int n);
void vsip_csvdiv_d_v(double sr, double si, lvector double *br, lvector double *bi,
                     lvector double *rr, lvector double *ri, int n);
void vsip_rcvmul_d_v(lvector double *a, lvector double *br, lvector double *bi,
                     lvector double *rr, lvector double *ri, int n);
void vsip_rcvdiv_d_v(lvector double *a, lvector double *br, lvector double *bi,
                     lvector double *rr, lvector double *ri, int n);
void vsip_crvdiv_d_v(lvector double *ar, lvector double *ai, lvector double *b,
                     lvector double *rr, lvector double *ri, int n);
void vsip_rscvdiv_d_v(double scalar, lvector double *br, lvector double *bi,
                      lvector double *rr, lvector double *ri, int n);

/* The scalar in each element. */
void vsip_vfill_d_v(double scalar, lvector double *r, int n);
void vsip_vfill_f_v(float scalar, lvector float *r, int n);
void vsip_vfill_i_v(int scalar, lvector int *r, int n);

/* Sums, sums of squares, means, means of squares, and dot products. */
double vsip_vsumval_d_v(lvector double *a, int n);
float vsip_vsumval_f_v(lvector float *a, int n);
unsigned int vsip_vsumval_i_v(lvector int *a, int n);
double vsip_vsumsqval_d_v(lvector double *a, int n);
float vsip_vsumsqval_f_v(lvector float *a, int n);
double vsip_vmeanval_d_v(lvector double *a, int n);
float vsip_vmeanval_f_v(lvector float *a, int n);
double vsip_vmeansqval_d_v(lvector double *a, int n);
float vsip_vmeansqval_f_v(lvector float *a, int n);
double vsip_vdot_d_v(lvector double *a, lvector double *b, unsigned long n);
float vsip_vdot_f_v(lvector float *a, lvector float *b, unsigned long n);

#endif
