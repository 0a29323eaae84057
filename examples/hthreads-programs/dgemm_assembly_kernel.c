/* C = A B with the GEMM papers' micro-kernel in assembly. The threads are a grid, each with a tile of C in AM. Parts
 * of A and B pass through GSM, which all threads fill together: those of B on to AM, those of A by slabs
 * of 18 rows to SM. All transfers have two buffers, so that they overlap with the computation. */
#include "kernel.h"

/* Of a tile of C. */
#define ROWS 252UL
#define COLUMNS 144UL
/* Products of a part. */
#define DEPTH 128UL
/* Of the micro-kernel. */
#define STRIP 6UL
#define PANEL 48UL
/* Rows that one transfer moves. A core has 20 channels, and a tile of C 14 slabs. */
#define SLAB (3 * STRIP)
#define SLABS (ROWS / SLAB)
/* Rows of B that one transfer moves, so that slabs of A do not wait for long ones. */
#define PIECE 16UL
/* Most tiles below each other, and side by side. */
#define DOWN 4UL
#define ACROSS 6UL
#define NONE (~0u)

void add_products(const double *a, const double *b, double *c, long k, long stride, long panels);

/* The matrices, the grid and this thread's memories. Some threads have no tile: they fill GSM only. */
typedef struct {
    double *A, *B, *C;
    ulong m, n, k;
    ulong down, across, parts;
    bool has_tile;
    double *a[2], *b[2], *c;
    /* Transfers of slabs of C to memory. */
    unsigned int stored[SLABS];
} Product;

/* A part of the product: of which products of which elements of C. This thread has `own_rows` and `own_columns` of them. */
typedef struct {
    ulong row, column, depth;
    ulong rows, columns;
    ulong own_row, own_column, own_rows, own_columns;
} Part;

static __gsm__ double left[2][DOWN * ROWS * DEPTH], right[2][DEPTH * ACROSS * COLUMNS];

static ulong least(ulong x, ulong y) { return x < y ? x : y; }
static ulong after(ulong x, ulong y) { return x > y ? x - y : 0; }
static ulong blocks(ulong length, ulong size) { return (length + size - 1) / size; }

/* Part number `number`; an empty one after the last. */
static Part part(const Product *p, ulong number)
{
    ulong rows = p->down * ROWS, columns = p->across * COLUMNS, depths = p->k / DEPTH;
    if (number >= p->parts)
        return (Part){0};
    ulong across = blocks(p->n, columns), block = number / depths, thread = get_thread_id();
    Part part = {block / across * rows, block % across * columns, number % depths * DEPTH};
    part.rows = least(p->m - part.row, rows);
    part.columns = least(p->n - part.column, columns);
    part.own_row = thread / p->across * ROWS;
    part.own_column = thread % p->across * COLUMNS;
    if (p->has_tile) {
        part.own_rows = least(after(part.rows, part.own_row), ROWS);
        part.own_columns = least(after(part.columns, part.own_column), COLUMNS);
    }
    return part;
}

static void finish(unsigned int transfer)
{
    if (transfer != NONE)
        dma_wait(transfer);
}

/* Starts the copy of rows whose starts are `from_stride` and `to_stride` numbers apart. */
static unsigned int rows(double *from, ulong from_stride, double *to, ulong to_stride, ulong count, ulong width)
{
    unsigned int bytes = width * 8;
    if (!count || !width)
        return NONE;
    return dma_p2p(from, count, bytes, (from_stride - width) * 8, to, count, bytes, (to_stride - width) * 8, false, 0);
}

/* Starts this thread's share of the copy of a part of A to GSM. */
static unsigned int share_left(const Product *p, ulong number)
{
    Part to = part(p, number);
    ulong first = first_of(to.rows), rows_of_thread = last_of(to.rows) - first;
    double *from = p->A + (to.row + first) * p->k + to.depth;
    return rows(from, p->k, left[number % 2] + first * DEPTH, DEPTH, rows_of_thread, DEPTH);
}

/* The same for B. */
static unsigned int share_right(const Product *p, ulong number)
{
    Part to = part(p, number);
    ulong first = first_of(DEPTH), rows_of_thread = last_of(DEPTH) - first;
    double *from = p->B + (to.depth + first) * p->n + to.column;
    return rows(from, p->n, right[number % 2] + first * to.columns, to.columns, rows_of_thread, to.columns);
}

/* Starts the copy of rows of this thread's columns of a part of B from GSM. */
static unsigned int load_right(const Product *p, const Part *of, ulong number, ulong row)
{
    double *from = right[number % 2] + row * of->columns + of->own_column, *to = p->b[number % 2] + row * COLUMNS;
    return row < DEPTH ? rows(from, of->columns, to, COLUMNS, PIECE, of->own_columns) : NONE;
}

/* Copies those from `row` on. */
static void load_rest(const Product *p, const Part *of, ulong number, ulong row)
{
    for (; row < DEPTH; row += PIECE)
        finish(load_right(p, of, number, row));
}

/* The rows of a slab from `row`. */
static ulong slab(const Part *of, ulong row) { return least(after(of->own_rows, row), SLAB); }

/* Starts the copy of a slab of this thread's rows of a part of A from GSM. */
static unsigned int load_left(const Product *p, const Part *of, ulong number, ulong row)
{
    double *from = left[number % 2] + (of->own_row + row) * DEPTH;
    return rows(from, DEPTH, p->a[row / SLAB % 2], DEPTH, slab(of, row), DEPTH);
}

/* Starts the copy of a slab of C to memory. */
static unsigned int store(const Product *p, const Part *of, ulong row)
{
    ulong to = (of->row + of->own_row + row) * p->n + of->column + of->own_column;
    return rows(p->c + row * COLUMNS, COLUMNS, p->C + to, p->n, slab(of, row), of->own_columns);
}

/* Makes rows of C zero. */
static void clear(double *c, ulong rows)
{
    lvector double *sums = (lvector double *)c;
    for (ulong i = 0; i < rows * COLUMNS / LANES; i++)
        sums[i] = 0.0;
}

/* c += a b for the rows of a slab. */
static void multiply_slab(double *a, double *b, double *c, ulong rows, ulong columns)
{
    for (ulong row = 0; row < rows; row += STRIP)
        add_products(a + row * DEPTH, b, c + row * COLUMNS, DEPTH, DEPTH, columns / PANEL);
}

/* Adds the products of a part to the tile of C, and loads B's next part. */
static void multiply(Product *p, ulong number)
{
    Part own = part(p, number), next = part(p, number + 1);
    unsigned int to_a = load_left(p, &own, number, 0), to_b = NONE;
    for (ulong row = 0; row < own.own_rows; row += SLAB) {
        ulong slab_number = row / SLAB, rows = slab(&own, row);
        double *c = p->c + row * COLUMNS;
        if (own.depth == 0) {
            finish(p->stored[slab_number]);
            clear(c, rows);
        }
        finish(to_a);
        finish(to_b);
        to_a = load_left(p, &own, number, row + SLAB);
        to_b = load_right(p, &next, number + 1, slab_number * PIECE);
        if (own.own_columns)
            multiply_slab(p->a[slab_number % 2], p->b[number % 2], c, rows, own.own_columns);
        p->stored[slab_number] = own.depth + DEPTH == p->k ? store(p, &own, row) : NONE;
    }
    finish(to_b);
    load_rest(p, &next, number + 1, blocks(own.own_rows, SLAB) * PIECE);
}

__global__ void dgemm_assembly(ulong barrier, ulong *spans, ulong m, ulong n, ulong k, double *A, double *B, double *C)
{
    Product p = {A, B, C, m, n, k, 1};
    while ((p.down + 1) * (p.down + 1) <= get_group_size())
        p.down++;
    p.across = get_group_size() / p.down;
    p.parts = blocks(m, p.down * ROWS) * blocks(n, p.across * COLUMNS) * (k / DEPTH);
    p.has_tile = get_thread_id() < p.down * p.across;
    for (int i = 0; i < 2; i++) {
        /* The micro-kernel loads two columns and two rows more. */
        p.a[i] = scalar_malloc((SLAB * DEPTH + 2) * 8);
        p.b[i] = vector_malloc((DEPTH + 2) * COLUMNS * 8);
    }
    p.c = vector_malloc(ROWS * COLUMNS * 8);
    for (ulong i = 0; i < SLABS; i++)
        p.stored[i] = NONE;
    BEGIN(barrier, spans);
    unsigned int to_left = share_left(&p, 0);
    finish(share_right(&p, 0));
    finish(to_left);
    group_barrier(barrier);
    unsigned int to_right = share_right(&p, 1);
    Part first = part(&p, 0);
    load_rest(&p, &first, 0, 0);
    finish(to_right);
    group_barrier(barrier);
    for (ulong number = 0; number < p.parts; number++) {
        to_left = share_left(&p, number + 1);
        to_right = share_right(&p, number + 2);
        multiply(&p, number);
        finish(to_left);
        finish(to_right);
        group_barrier(barrier);
    }
    for (ulong i = 0; i < SLABS; i++)
        finish(p.stored[i]);
    END(spans);
    vector_free(p.c);
    for (int i = 0; i < 2; i++) {
        vector_free(p.b[i]);
        scalar_free(p.a[i]);
    }
}
