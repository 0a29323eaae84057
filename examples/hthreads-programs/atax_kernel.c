/* PolyBench's atax: y = A^T (A x). Threads have rows of A; their parts of y are added at the end. */
#include "kernel.h"

__global__ void atax(ulong barrier, ulong *spans, ulong rows, ulong n, double *A, double *x, double *y, double *parts)
{
    ulong vectors = n / LANES, first = first_of(rows), last = last_of(rows);
    lvector double *row[2] = {vector_malloc(n * 8), vector_malloc(n * 8)};
    lvector double *all = vector_malloc(n * 8), *sum = vector_malloc(n * 8);
    unsigned int loads[2];
    BEGIN(barrier, spans);
    vector_load(x, all, n * 8);
    for (ulong v = 0; v < vectors; v++)
        sum[v] = 0.0;
    if (first < last)
        loads[first % 2] = start(&A[first * n], row[first % 2], n * 8);
    for (ulong i = first; i < last; i++) {
        if (i + 1 < last)
            loads[(i + 1) % 2] = start(&A[(i + 1) * n], row[(i + 1) % 2], n * 8);
        dma_wait(loads[i % 2]);
        lvector double *own = row[i % 2], product;
        product = 0.0;
        for (ulong v = 0; v < vectors; v++)
            product += own[v] * all[v];
        mov_to_svr_v16df(product);
        double dot = mov_from_svr0_df() + mov_from_svr1_df() + mov_from_svr2_df() + mov_from_svr3_df() +
                     mov_from_svr4_df() + mov_from_svr5_df() + mov_from_svr6_df() + mov_from_svr7_df() +
                     mov_from_svr8_df() + mov_from_svr9_df() + mov_from_svr10_df() + mov_from_svr11_df() +
                     mov_from_svr12_df() + mov_from_svr13_df() + mov_from_svr14_df() + mov_from_svr15_df();
        lvector double scale = vec_svbcast(dot);
        for (ulong v = 0; v < vectors; v++)
            sum[v] = vec_mula(own[v], scale, sum[v]);
    }
    vector_store(sum, &parts[get_thread_id() * n], n * 8);
    group_barrier(barrier);
    /* Columns of y, from all parts. */
    ulong begin = first_of(vectors), end = last_of(vectors);
    if (begin < end) {
        unsigned int bytes = (end - begin) * 128;
        for (ulong v = begin; v < end; v++)
            sum[v] = 0.0;
        for (int thread = 0; thread < get_group_size(); thread++) {
            vector_load(&parts[thread * n + begin * LANES], all, bytes);
            for (ulong v = begin; v < end; v++)
                sum[v] += all[v - begin];
        }
        vector_store(&sum[begin], &y[begin * LANES], bytes);
    }
    END(spans);
    vector_free(row[0]);
    vector_free(row[1]);
    vector_free(all);
    vector_free(sum);
}
