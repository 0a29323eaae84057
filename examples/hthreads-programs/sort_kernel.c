/* Merge sort of whole numbers: blocks are sorted in SM, and pairs of runs are merged through SM until
 * one is left. */
#include "kernel.h"

#define BLOCK 1024UL
/* Elements of a run that are in SM while it is merged. */
#define WINDOW 256UL

static void sink(long *heap, ulong at, ulong n)
{
    long value = heap[at];
    for (ulong child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

static void heap_sort(long *keys, ulong n)
{
    for (ulong i = n / 2; i-- > 0;)
        sink(keys, i, n);
    for (ulong i = n - 1; i > 0; i--) {
        long last = keys[i];
        keys[i] = keys[0];
        keys[0] = last;
        sink(keys, 0, i);
    }
}

/* A run that is read, or written, through a window. */
struct window {
    long *outside, *near;
    ulong at, left, filled;
};

static int refill(struct window *run)
{
    if (run->at < run->filled)
        return 1;
    if (!run->left)
        return 0;
    run->filled = run->left < WINDOW ? run->left : WINDOW;
    scalar_load(run->outside, run->near, run->filled * 8);
    run->outside += run->filled;
    run->left -= run->filled;
    run->at = 0;
    return 1;
}

static void merge(long *from, ulong first, ulong second, long *to, long *near)
{
    struct window a = {from, near, 0, first, 0}, b = {from + first, near + WINDOW, 0, second, 0};
    long *out = near + 2 * WINDOW;
    ulong count = 0;
    for (ulong left = first + second; left > 0; left--) {
        int more_a = refill(&a), more_b = refill(&b);
        if (!more_b || (more_a && a.near[a.at] <= b.near[b.at]))
            out[count++] = a.near[a.at++];
        else
            out[count++] = b.near[b.at++];
        if (count == WINDOW || left == 1) {
            scalar_store(out, to, count * 8);
            to += count;
            count = 0;
        }
    }
}

__global__ void sort(ulong barrier, ulong *spans, ulong n, long *keys, long *other)
{
    long *near = scalar_malloc(BLOCK * 8);
    BEGIN(barrier, spans);
    for (ulong block = first_of(n / BLOCK); block < last_of(n / BLOCK); block++) {
        scalar_load(keys + block * BLOCK, near, BLOCK * 8);
        heap_sort(near, BLOCK);
        scalar_store(near, keys + block * BLOCK, BLOCK * 8);
    }
    group_barrier(barrier);
    for (ulong run = BLOCK; run < n; run *= 2) {
        ulong pairs = (n + 2 * run - 1) / (2 * run);
        for (ulong pair = first_of(pairs); pair < last_of(pairs); pair++) {
            ulong begin = pair * 2 * run, all = n - begin < 2 * run ? n - begin : 2 * run;
            ulong first = all < run ? all : run;
            merge(keys + begin, first, all - first, other + begin, near);
        }
        long *result = other;
        other = keys;
        keys = result;
        group_barrier(barrier);
    }
    /* Where the result is. */
    if (get_thread_id() == 0)
        spans[2 * 24] = (ulong)keys;
    END(spans);
    scalar_free(near);
}
