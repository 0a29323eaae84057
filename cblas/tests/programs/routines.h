/* The checks of one precision: T is float or double, LETTER s or d. */

#define OWN(name) NAME(LETTER, name)
#define CALL(name) NAME(NAME(cblas_, LETTER), name)

/* What a vector or a matrix is compared with: `original`, what it was before, and the sums of its elements that are
 * written. The others have a size of -1. */
typedef struct {
    T *now, *original;
    Sum *sums;
    long count;
} OWN(Array);
#define Array OWN(Array)

static Array OWN(array)(long count)
{
    Array a = {room_for(count * sizeof(T)), room_for(count * sizeof(T)), room_for(count * sizeof(Sum)), count};
    for (long i = 0; i < count; ++i) {
        a.now[i] = a.original[i] = (T)NAN;
        a.sums[i] = (Sum){0, -1};
    }
    return a;
}

static void OWN(release)(Array a)
{
    free(a.now);
    free(a.original);
    free(a.sums);
}

static void OWN(set)(Array a, long at, double value)
{
    a.now[at] = a.original[at] = (T)value;
}

static Array OWN(vector)(int count, int increment)
{
    Array a = OWN(array)(vector_room(count, increment));
    for (int i = 0; i < count; ++i)
        OWN(set)(a, element(i, count, increment), uniform());
    return a;
}

static Array OWN(matrix)(Shape s)
{
    Array a = OWN(array)(room(s));
    for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j)
            if (place(s, i, j) >= 0)
                OWN(set)(a, place(s, i, j), uniform());
    return a;
}

/* An array whose old contents must not be read has none. */
static void OWN(forget)(Array a)
{
    for (long i = 0; i < a.count; ++i)
        OWN(set)(a, i, NAN);
}

/* A triangular matrix, whose solutions have small errors. A diagonal of ones must not be read. */
static Array OWN(triangular)(Shape s, CBLAS_DIAG diag)
{
    Array a = OWN(matrix)(s);
    for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j) {
            long at = place(s, i, j);
            if (at >= 0 && i == j)
                OWN(set)(a, at, diag == CblasUnit ? NAN : 2 + uniform() / 2);
            else if (at >= 0)
                OWN(set)(a, at, uniform() / s.n);
        }
    return a;
}

/* Element (i, j) of op(A); 0 if it is not stored. */
static Exact OWN(at)(Array a, Shape s, int i, int j)
{
    long at = place(s, i, j);
    return at < 0 ? 0 : a.original[at];
}

static Exact OWN(op)(Array a, Shape s, CBLAS_TRANSPOSE trans, int i, int j)
{
    return trans == CblasNoTrans ? OWN(at)(a, s, i, j) : OWN(at)(a, s, j, i);
}

static Exact OWN(symmetric)(Array a, Shape s, int i, int j)
{
    return place(s, i, j) >= 0 ? OWN(at)(a, s, i, j) : OWN(at)(a, s, j, i);
}

static Exact OWN(triangle)(Array a, Shape s, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int i, int j)
{
    return i == j && diag == CblasUnit ? 1 : OWN(op)(a, s, trans, i, j);
}

/* Adds the old element with its factor; with 0 it is not read. */
static void OWN(add_old)(Sum *sum, T beta, Array a, long at)
{
    sum->size = 0;
    if (beta != 0)
        add(sum, (Exact)beta * a.original[at]);
}

static void OWN(compare)(const char *name, const char *what, Array a, int terms)
{
    ++calls;
    for (long i = 0; i < a.count; ++i) {
        Exact tolerance = 4 * (terms + 4) * (Exact)EPSILON * a.sums[i].size;
        int is_right = a.sums[i].size < 0 ? memcmp(&a.now[i], &a.original[i], sizeof(T)) == 0
                                          : fabsl(a.now[i] - a.sums[i].value) <= tolerance;
        if (is_right)
            continue;
        if (wrong_in_routine++ < 3)
            printf("cblas_" TEXT "%s %s: element %ld is %.17g, not %.17g\n", name, what, i, (double)a.now[i],
                   a.sums[i].size < 0 ? (double)a.original[i] : (double)a.sums[i].value);
        return;
    }
}

static void OWN(compare_number)(const char *name, const char *what, Exact got, Sum sum, int terms)
{
    ++calls;
    if (!(fabsl(got - sum.value) <= 4 * (terms + 4) * (Exact)EPSILON * sum.size) && wrong_in_routine++ < 3)
        printf("cblas_" TEXT "%s %s: is %.17Lg, not %.17Lg\n", name, what, got, sum.value);
}

#define SHOW(...) char what[200]; snprintf(what, sizeof what, __VA_ARGS__)
#define END(name) end_routine("cblas_" TEXT name)

/* Level 1 */

static void OWN(pair)(Pair which, const char *name, const T *parameters)
{
    EACH(int, n, 0, 1, 7, 1000) EACH_INCREMENT(incx) EACH_INCREMENT(incy) {
        SHOW("n=%d incx=%d incy=%d", n, incx, incy);
        Array x = OWN(vector)(n, incx), y = OWN(vector)(n, incy);
        const T *p = parameters;
        for (int i = 0; i < n; ++i) {
            long at = element(i, n, incx), to = element(i, n, incy);
            Exact old_x = x.original[at], old_y = y.original[to];
            Exact h[4] = {0, 1, 1, 0}; /* h11, h12, h21, h22 */
            if (which == COPY)
                h[0] = 1, h[1] = 0;
            if (which == AXPY)
                h[0] = 1, h[1] = 0, h[2] = p[0], h[3] = 1;
            if (which == ROT)
                h[0] = p[0], h[1] = p[1], h[2] = -p[1], h[3] = p[0];
            if (which == ROTM) {
                h[0] = p[0] == 0 || p[0] == -2 ? 1 : p[1];
                h[1] = p[0] == 1 ? 1 : p[0] == -2 ? 0 : p[3];
                h[2] = p[0] == 1 ? -1 : p[0] == -2 ? 0 : p[2];
                h[3] = p[0] == 0 || p[0] == -2 ? 1 : p[4];
            }
            y.sums[to].size = 0;
            add(&y.sums[to], h[2] * old_x);
            add(&y.sums[to], h[3] * old_y);
            if (which == COPY || which == AXPY)
                continue;
            x.sums[at].size = 0;
            add(&x.sums[at], h[0] * old_x);
            add(&x.sums[at], h[1] * old_y);
        }
        switch (which) {
        case SWAP: CALL(swap)(n, x.now, incx, y.now, incy); break;
        case COPY: CALL(copy)(n, x.now, incx, y.now, incy); break;
        case AXPY: CALL(axpy)(n, p[0], x.now, incx, y.now, incy); break;
        case ROT: CALL(rot)(n, x.now, incx, y.now, incy, p[0], p[1]); break;
        case ROTM: CALL(rotm)(n, x.now, incx, y.now, incy, p); break;
        }
        OWN(compare)(name, what, x, 2);
        OWN(compare)(name, what, y, 2);
        OWN(release)(x);
        OWN(release)(y);
    }
}

static void OWN(reductions)(void)
{
    EACH(int, n, 0, 1, 7, 1000, 20000) EACH_INCREMENT(incx) EACH_INCREMENT(incy) {
        SHOW("n=%d incx=%d incy=%d", n, incx, incy);
        Array x = OWN(vector)(n, incx), y = OWN(vector)(n, incy);
        Sum sum = {0, 0};
        for (int i = 0; i < n; ++i)
            add(&sum, (Exact)x.now[element(i, n, incx)] * y.now[element(i, n, incy)]);
        OWN(compare_number)("dot", what, CALL(dot)(n, x.now, incx, y.now, incy), sum, n);
        OWN(release)(x);
        OWN(release)(y);
    }
    END("dot");
    EACH(int, n, 0, 1, 7, 1000, 20000) EACH_INCREMENT(incx) {
        SHOW("n=%d incx=%d", n, incx);
        Array x = OWN(vector)(n, incx);
        Sum sum = {0, 0};
        for (int i = 0; i < n; ++i)
            add(&sum, (Exact)x.now[element(i, n, incx)] * x.now[element(i, n, incx)]);
        Sum root = {sqrtl(sum.value), sqrtl(sum.value)};
        OWN(compare_number)("nrm2", what, CALL(nrm2)(n, x.now, incx), root, n);
        OWN(release)(x);
    }
    END("nrm2");
    EACH(int, n, 0, 1, 7, 1000, 20000) EACH_INCREMENT(incx) {
        SHOW("n=%d incx=%d", n, incx);
        Array x = OWN(vector)(n, incx);
        Sum sum = {0, 0};
        for (int i = 0; i < n && incx > 0; ++i)
            add(&sum, fabsl(x.now[element(i, n, incx)]));
        OWN(compare_number)("asum", what, CALL(asum)(n, x.now, incx), sum, n);
        OWN(release)(x);
    }
    END("asum");
    EACH(int, n, 0, 1, 7, 1000, 20000) EACH_INCREMENT(incx) {
        SHOW("n=%d incx=%d", n, incx);
        Array x = OWN(vector)(n, incx);
        /* The first of equal ones counts. */
        if (n > 3) {
            OWN(set)(x, element(n / 2, n, incx), -2);
            OWN(set)(x, element(n - 1, n, incx), 2);
        }
        Sum first = {0, 0};
        for (int i = 1; i < n && incx > 0; ++i)
            if (fabsl(x.now[element(i, n, incx)]) > fabsl(x.now[element((int)first.value, n, incx)]))
                first.value = i;
        OWN(compare_number)("amax", what, NAME(NAME(cblas_i, LETTER), amax)(n, x.now, incx), first, n);
        OWN(release)(x);
    }
    end_routine("cblas_i" TEXT "amax");
}

static void OWN(scal)(void)
{
    EACH(int, n, 0, 1, 7, 1000) EACH_INCREMENT(incx) EACH(T, alpha, 0, 1, (T)-1.5) {
        SHOW("n=%d incx=%d alpha=%g", n, incx, (double)alpha);
        Array x = OWN(vector)(n, incx);
        for (int i = 0; i < n && incx > 0; ++i) {
            Sum *sum = &x.sums[element(i, n, incx)];
            sum->size = 0;
            add(sum, (Exact)alpha * x.original[element(i, n, incx)]);
        }
        CALL(scal)(n, alpha, x.now, incx);
        OWN(compare)("scal", what, x, 1);
        OWN(release)(x);
    }
    END("scal");
}

static void OWN(rotations)(void)
{
    EACH(T, a0, 3, (T)-0.5, 0, (T)1e-30) EACH(T, b0, 4, -2, 0, (T)1e30) {
        SHOW("a=%g b=%g", (double)a0, (double)b0);
        T a = a0, b = b0, c, s;
        CALL(rotg)(&a, &b, &c, &s);
        Exact length = hypotl(a0, b0), size = fabsl(a);
        OWN(compare_number)("rotg", what, size, (Sum){length, length}, 2);
        OWN(compare_number)("rotg", what, (Exact)c * a, (Sum){a0, length}, 2);
        OWN(compare_number)("rotg", what, (Exact)s * a, (Sum){b0, length}, 2);
    }
    END("rotg");
    EACH(T, d10, 2, (T)1e-9, (T)1e9) EACH(T, d20, 3, (T)1e-9, (T)1e9) EACH(T, x0, 1, (T)-0.25) EACH(T, y0, 2, -7) {
        SHOW("d1=%g d2=%g x=%g y=%g", (double)d10, (double)d20, (double)x0, (double)y0);
        T d1 = d10, d2 = d20, x = x0, p[5] = {0};
        CALL(rotmg)(&d1, &d2, &x, y0, p);
        Exact h11 = p[0] == 0 ? 1 : p[1], h21 = p[0] == 1 ? -1 : p[2];
        Exact h12 = p[0] == 1 ? 1 : p[3], h22 = p[0] == 0 ? 1 : p[4];
        Sum first = {0, 0}, second = {0, 0};
        add(&first, h11 * x0);
        add(&first, h12 * y0);
        add(&second, h21 * x0);
        add(&second, h22 * y0);
        OWN(compare_number)("rotmg", what, x, first, 8);
        OWN(compare_number)("rotmg", what, 0, second, 8);
        Exact before = (Exact)d10 * x0 * x0 + (Exact)d20 * y0 * y0;
        OWN(compare_number)("rotmg", what, (Exact)d1 * x * x, (Sum){before, before}, 8);
    }
    END("rotmg");
}

static void OWN(level1)(void)
{
    OWN(rotations)();
    OWN(pair)(SWAP, "swap", NULL);
    END("swap");
    OWN(pair)(COPY, "copy", NULL);
    END("copy");
    OWN(pair)(AXPY, "axpy", (T[]){(T)-0.75});
    OWN(pair)(AXPY, "axpy", (T[]){0});
    END("axpy");
    OWN(pair)(ROT, "rot", (T[]){(T)0.6, (T)-0.8});
    END("rot");
    EACH(T, kind, -2, -1, 0, 1)
        OWN(pair)(ROTM, "rotm", (T[]){kind, (T)0.5, (T)-0.25, (T)1.5, (T)0.75});
    END("rotm");
    OWN(scal)();
    OWN(reductions)();
}

/* Level 2 */

static void OWN(general_vector)(Kind kind, const char *name)
{
    EACH_LAYOUT EACH_TRANS(trans) EACH(int, size, 0, 1, 2, 3) EACH_INCREMENT(incx) EACH_INCREMENT(incy)
    EACH(int, scalars, 0, 1, 2) {
        int m = (int[]){1, 5, 3, 40}[size], n = (int[]){1, 3, 7, 29}[size];
        int kl = (int[]){0, 2, 1, 30}[size], ku = (int[]){0, 1, 4, 12}[size];
        T alpha = (T[]){(T)1.25, 0, 1}[scalars], beta = (T[]){(T)-0.5, (T)0.5, 0}[scalars];
        SHOW("layout=%d trans=%d m=%d n=%d kl=%d ku=%d incx=%d incy=%d alpha=%g beta=%g", layout, trans, m, n, kl,
             ku, incx, incy, (double)alpha, (double)beta);
        Shape s = full(layout, m, n, size);
        if (kind == BAND)
            s.kind = BAND, s.below = kl, s.above = ku, s.stride = kl + ku + 1 + size;
        int of_x = trans == CblasNoTrans ? n : m, of_y = trans == CblasNoTrans ? m : n;
        Array a = OWN(matrix)(s), x = OWN(vector)(of_x, incx), y = OWN(vector)(of_y, incy);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(x);
        if (beta == 0)
            OWN(forget)(y);
        for (int i = 0; i < of_y; ++i) {
            long at = element(i, of_y, incy);
            OWN(add_old)(&y.sums[at], beta, y, at);
            for (int j = 0; j < of_x && alpha != 0; ++j)
                add(&y.sums[at], alpha * OWN(op)(a, s, trans, i, j) * x.original[element(j, of_x, incx)]);
        }
        if (kind == BAND)
            CALL(gbmv)(layout, trans, m, n, kl, ku, alpha, a.now, s.stride, x.now, incx, beta, y.now, incy);
        else
            CALL(gemv)(layout, trans, m, n, alpha, a.now, s.stride, x.now, incx, beta, y.now, incy);
        OWN(compare)(name, what, y, of_x);
        OWN(release)(a);
        OWN(release)(x);
        OWN(release)(y);
    }
}

static void OWN(symmetric_vector)(Kind kind, const char *name)
{
    EACH_LAYOUT EACH_UPLO EACH(int, size, 0, 1, 2) EACH_INCREMENT(incx) EACH_INCREMENT(incy)
    EACH(int, scalars, 0, 1, 2) {
        int n = (int[]){1, 6, 37}[size], k = (int[]){0, 2, 11}[size];
        T alpha = (T[]){(T)1.25, 0, 1}[scalars], beta = (T[]){(T)-0.5, (T)0.5, 0}[scalars];
        SHOW("layout=%d uplo=%d n=%d k=%d incx=%d incy=%d alpha=%g beta=%g", layout, uplo, n, k, incx, incy,
             (double)alpha, (double)beta);
        Shape s = triangle(kind, layout, uplo, n, k, size);
        Array a = OWN(matrix)(s), x = OWN(vector)(n, incx), y = OWN(vector)(n, incy);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(x);
        if (beta == 0)
            OWN(forget)(y);
        for (int i = 0; i < n; ++i) {
            long at = element(i, n, incy);
            OWN(add_old)(&y.sums[at], beta, y, at);
            for (int j = 0; j < n && alpha != 0; ++j)
                add(&y.sums[at], alpha * OWN(symmetric)(a, s, i, j) * x.original[element(j, n, incx)]);
        }
        if (kind == FULL)
            CALL(symv)(layout, uplo, n, alpha, a.now, s.stride, x.now, incx, beta, y.now, incy);
        else if (kind == BAND)
            CALL(sbmv)(layout, uplo, n, k, alpha, a.now, s.stride, x.now, incx, beta, y.now, incy);
        else
            CALL(spmv)(layout, uplo, n, alpha, a.now, x.now, incx, beta, y.now, incy);
        OWN(compare)(name, what, y, n);
        OWN(release)(a);
        OWN(release)(x);
        OWN(release)(y);
    }
}

/* The product, or the solution: then x is what the exact product is compared with. */
static void OWN(triangular_vector)(Kind kind, int is_solution, const char *name)
{
    EACH_LAYOUT EACH_UPLO EACH_TRANS(trans) EACH_DIAG EACH(int, size, 0, 1, 2) EACH_INCREMENT(incx) {
        int n = (int[]){1, 6, 37}[size], k = (int[]){0, 2, 11}[size];
        SHOW("layout=%d uplo=%d trans=%d diag=%d n=%d k=%d incx=%d", layout, uplo, trans, diag, n, k, incx);
        Shape s = triangle(kind, layout, uplo, n, k, size);
        Array a = OWN(triangular)(s, diag), x = OWN(vector)(n, incx);
        int is_upward = (uplo == CblasUpper) == (trans == CblasNoTrans);
        for (int number = 0; number < n; ++number) {
            int i = is_upward ? n - 1 - number : number;
            long at = element(i, n, incx);
            Sum *sum = &x.sums[at];
            sum->size = 0;
            if (is_solution)
                add(sum, x.original[at]);
            for (int j = 0; j < n; ++j) {
                long from = element(j, n, incx);
                Exact factor = OWN(triangle)(a, s, trans, diag, i, j);
                if (!is_solution)
                    add(sum, factor * x.original[from]);
                else if (i != j && factor != 0)
                    add(sum, -factor * x.sums[from].value);
            }
            if (is_solution) {
                Exact pivot = OWN(triangle)(a, s, trans, diag, i, i);
                sum->value /= pivot;
                sum->size += 1;
            }
        }
        switch (kind) {
        case FULL: (is_solution ? CALL(trsv) : CALL(trmv))(layout, uplo, trans, diag, n, a.now, s.stride, x.now, incx); break;
        case BAND: (is_solution ? CALL(tbsv) : CALL(tbmv))(layout, uplo, trans, diag, n, k, a.now, s.stride, x.now, incx); break;
        case PACKED: (is_solution ? CALL(tpsv) : CALL(tpmv))(layout, uplo, trans, diag, n, a.now, x.now, incx); break;
        }
        OWN(compare)(name, what, x, n);
        OWN(release)(a);
        OWN(release)(x);
    }
}

/* Updates with x and y, or with x only. */
static void OWN(update)(Kind kind, int is_symmetric, int has_y, const char *name)
{
    EACH_LAYOUT EACH_UPLO EACH(int, size, 0, 1, 2, 3) EACH_INCREMENT(incx) EACH_INCREMENT(incy)
    EACH(T, alpha, 0, (T)-1.25) {
        int m = (int[]){1, 5, 3, 40}[size], n = is_symmetric ? m : (int[]){1, 3, 7, 29}[size];
        if (!is_symmetric && uplo == CblasLower)
            continue;
        SHOW("layout=%d uplo=%d m=%d n=%d incx=%d incy=%d alpha=%g", layout, uplo, m, n, incx, incy, (double)alpha);
        Shape s = is_symmetric ? triangle(kind, layout, uplo, n, 0, size) : full(layout, m, n, size);
        Array a = OWN(matrix)(s), x = OWN(vector)(m, incx), y = OWN(vector)(n, incy);
        if (alpha == 0)
            OWN(forget)(x), OWN(forget)(y);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                long at = place(s, i, j);
                if (at < 0)
                    continue;
                Sum *sum = &a.sums[at];
                OWN(add_old)(sum, 1, a, at);
                if (alpha == 0)
                    continue;
                Exact xi = x.original[element(i, m, incx)], yj = y.original[element(j, n, incy)];
                if (!is_symmetric) {
                    add(sum, alpha * xi * yj);
                    continue;
                }
                Exact xj = x.original[element(j, m, incx)], yi = y.original[element(i, n, incy)];
                add(sum, alpha * xi * (has_y ? yj : xj));
                add(sum, has_y ? alpha * yi * xj : 0);
            }
        if (!is_symmetric)
            CALL(ger)(layout, m, n, alpha, x.now, incx, y.now, incy, a.now, s.stride);
        else if (kind == FULL && has_y)
            CALL(syr2)(layout, uplo, n, alpha, x.now, incx, y.now, incy, a.now, s.stride);
        else if (kind == FULL)
            CALL(syr)(layout, uplo, n, alpha, x.now, incx, a.now, s.stride);
        else if (has_y)
            CALL(spr2)(layout, uplo, n, alpha, x.now, incx, y.now, incy, a.now);
        else
            CALL(spr)(layout, uplo, n, alpha, x.now, incx, a.now);
        OWN(compare)(name, what, a, 3);
        OWN(release)(a);
        OWN(release)(x);
        OWN(release)(y);
    }
}

static void OWN(level2)(void)
{
    OWN(general_vector)(FULL, "gemv");
    END("gemv");
    OWN(general_vector)(BAND, "gbmv");
    END("gbmv");
    OWN(symmetric_vector)(FULL, "symv");
    END("symv");
    OWN(symmetric_vector)(BAND, "sbmv");
    END("sbmv");
    OWN(symmetric_vector)(PACKED, "spmv");
    END("spmv");
    OWN(triangular_vector)(FULL, 0, "trmv");
    END("trmv");
    OWN(triangular_vector)(BAND, 0, "tbmv");
    END("tbmv");
    OWN(triangular_vector)(PACKED, 0, "tpmv");
    END("tpmv");
    OWN(triangular_vector)(FULL, 1, "trsv");
    END("trsv");
    OWN(triangular_vector)(BAND, 1, "tbsv");
    END("tbsv");
    OWN(triangular_vector)(PACKED, 1, "tpsv");
    END("tpsv");
    OWN(update)(FULL, 0, 1, "ger");
    END("ger");
    OWN(update)(FULL, 1, 0, "syr");
    END("syr");
    OWN(update)(PACKED, 1, 0, "spr");
    END("spr");
    OWN(update)(FULL, 1, 1, "syr2");
    END("syr2");
    OWN(update)(PACKED, 1, 1, "spr2");
    END("spr2");
}

/* Level 3 */

#define EACH_SIZE EACH(int, size, 0, 1, 2, 3, 4)
#define EACH_SCALARS EACH(int, scalars, 0, 1, 2, 3)
#define SIZES int m = (int[]){1, 5, 40, 70, 4}[size], n = (int[]){1, 3, 29, 66, 6}[size], k = (int[]){1, 4, 33, 9, 0}[size]
#define SCALARS \
    T alpha = (T[]){(T)1.25, 0, 1, 1}[scalars], beta = (T[]){(T)-0.5, (T)0.5, 0, 1}[scalars]

static void OWN(gemm)(void)
{
    EACH_LAYOUT EACH_TRANS(transa) EACH_TRANS(transb) EACH_SIZE EACH_SCALARS {
        SIZES;
        SCALARS;
        SHOW("layout=%d transa=%d transb=%d m=%d n=%d k=%d alpha=%g beta=%g", layout, transa, transb, m, n, k,
             (double)alpha, (double)beta);
        int ta = transa != CblasNoTrans, tb = transb != CblasNoTrans;
        Shape sa = full(layout, ta ? k : m, ta ? m : k, size), sb = full(layout, tb ? n : k, tb ? k : n, 2 * size);
        Shape sc = full(layout, m, n, 3 * size);
        Array a = OWN(matrix)(sa), b = OWN(matrix)(sb), c = OWN(matrix)(sc);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(b);
        if (beta == 0)
            OWN(forget)(c);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                Sum *sum = &c.sums[place(sc, i, j)];
                OWN(add_old)(sum, beta, c, place(sc, i, j));
                for (int l = 0; l < k && alpha != 0; ++l)
                    add(sum, alpha * OWN(op)(a, sa, transa, i, l) * OWN(op)(b, sb, transb, l, j));
            }
        CALL(gemm)(layout, transa, transb, m, n, k, alpha, a.now, sa.stride, b.now, sb.stride, beta, c.now, sc.stride);
        OWN(compare)("gemm", what, c, k);
        OWN(release)(a);
        OWN(release)(b);
        OWN(release)(c);
    }
    END("gemm");
}

static void OWN(symm)(void)
{
    EACH_LAYOUT EACH_SIDE EACH_UPLO EACH_SIZE EACH_SCALARS {
        SIZES;
        SCALARS;
        (void)k;
        SHOW("layout=%d side=%d uplo=%d m=%d n=%d alpha=%g beta=%g", layout, side, uplo, m, n, (double)alpha,
             (double)beta);
        int order = side == CblasLeft ? m : n;
        Shape sa = triangle(FULL, layout, uplo, order, 0, size);
        Shape sb = full(layout, m, n, 2 * size), sc = full(layout, m, n, 3 * size);
        Array a = OWN(matrix)(sa), b = OWN(matrix)(sb), c = OWN(matrix)(sc);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(b);
        if (beta == 0)
            OWN(forget)(c);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                Sum *sum = &c.sums[place(sc, i, j)];
                OWN(add_old)(sum, beta, c, place(sc, i, j));
                for (int l = 0; l < order && alpha != 0; ++l)
                    add(sum, side == CblasLeft ? alpha * OWN(symmetric)(a, sa, i, l) * OWN(at)(b, sb, l, j)
                                               : alpha * OWN(at)(b, sb, i, l) * OWN(symmetric)(a, sa, l, j));
            }
        CALL(symm)(layout, side, uplo, m, n, alpha, a.now, sa.stride, b.now, sb.stride, beta, c.now, sc.stride);
        OWN(compare)("symm", what, c, order);
        OWN(release)(a);
        OWN(release)(b);
        OWN(release)(c);
    }
    END("symm");
}

static void OWN(rank_update)(int has_b, const char *name)
{
    EACH_LAYOUT EACH_UPLO EACH_TRANS(trans) EACH_SIZE EACH_SCALARS {
        SIZES;
        SCALARS;
        n = m;
        SHOW("layout=%d uplo=%d trans=%d n=%d k=%d alpha=%g beta=%g", layout, uplo, trans, n, k, (double)alpha,
             (double)beta);
        int t = trans != CblasNoTrans;
        Shape sa = full(layout, t ? k : n, t ? n : k, size), sb = full(layout, sa.m, sa.n, 2 * size);
        Shape sc = triangle(FULL, layout, uplo, n, 0, 3 * size);
        Array a = OWN(matrix)(sa), b = OWN(matrix)(sb), c = OWN(matrix)(sc);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(b);
        if (beta == 0)
            OWN(forget)(c);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                if (place(sc, i, j) < 0)
                    continue;
                Sum *sum = &c.sums[place(sc, i, j)];
                OWN(add_old)(sum, beta, c, place(sc, i, j));
                for (int l = 0; l < k && alpha != 0; ++l) {
                    Exact ai = OWN(op)(a, sa, trans, i, l), aj = OWN(op)(a, sa, trans, j, l);
                    Exact bi = OWN(op)(b, sb, trans, i, l), bj = OWN(op)(b, sb, trans, j, l);
                    add(sum, alpha * ai * (has_b ? bj : aj));
                    add(sum, has_b ? alpha * bi * aj : 0);
                }
            }
        if (has_b)
            CALL(syr2k)(layout, uplo, trans, n, k, alpha, a.now, sa.stride, b.now, sb.stride, beta, c.now, sc.stride);
        else
            CALL(syrk)(layout, uplo, trans, n, k, alpha, a.now, sa.stride, beta, c.now, sc.stride);
        OWN(compare)(name, what, c, 2 * k);
        OWN(release)(a);
        OWN(release)(b);
        OWN(release)(c);
    }
}

/* The product, or the solution. */
static void OWN(triangular_matrix)(int is_solution, const char *name)
{
    EACH_LAYOUT EACH_SIDE EACH_UPLO EACH_TRANS(trans) EACH_DIAG EACH(int, size, 0, 1, 2, 3)
    EACH(T, alpha, (T)1.25, 0, 1) {
        SIZES;
        (void)k;
        SHOW("layout=%d side=%d uplo=%d trans=%d diag=%d m=%d n=%d alpha=%g", layout, side, uplo, trans, diag, m, n,
             (double)alpha);
        int is_left = side == CblasLeft, order = is_left ? m : n;
        Shape sa = triangle(FULL, layout, uplo, order, 0, size), sb = full(layout, m, n, 2 * size);
        Array a = OWN(triangular)(sa, diag), b = OWN(matrix)(sb);
        if (alpha == 0)
            OWN(forget)(a), OWN(forget)(b);
        /* Column by column of the left form: op(A) X = alpha B, or op(A)' X' = alpha B'. */
        int is_upper = (uplo == CblasUpper) == (trans == CblasNoTrans);
        int is_upward = is_upper == is_left;
        for (int j = 0; j < (is_left ? n : m); ++j)
            for (int number = 0; number < order; ++number) {
                int i = is_upward ? order - 1 - number : number;
                long at = is_left ? place(sb, i, j) : place(sb, j, i);
                Sum *sum = &b.sums[at];
                sum->size = 0;
                if (alpha == 0)
                    continue;
                if (is_solution)
                    add(sum, (Exact)alpha * b.original[at]);
                for (int l = 0; l < order; ++l) {
                    long from = is_left ? place(sb, l, j) : place(sb, j, l);
                    Exact factor = is_left ? OWN(triangle)(a, sa, trans, diag, i, l)
                                           : OWN(triangle)(a, sa, trans, diag, l, i);
                    if (!is_solution)
                        add(sum, alpha * factor * b.original[from]);
                    else if (i != l && factor != 0)
                        add(sum, -factor * b.sums[from].value);
                }
                if (is_solution) {
                    sum->value /= OWN(triangle)(a, sa, trans, diag, i, i);
                    sum->size += 1;
                }
            }
        (is_solution ? CALL(trsm) : CALL(trmm))(layout, side, uplo, trans, diag, m, n, alpha, a.now, sa.stride, b.now,
                                                sb.stride);
        OWN(compare)(name, what, b, order);
        OWN(release)(a);
        OWN(release)(b);
    }
}

static void OWN(level3)(void)
{
    OWN(gemm)();
    OWN(symm)();
    OWN(rank_update)(0, "syrk");
    END("syrk");
    OWN(rank_update)(1, "syr2k");
    END("syr2k");
    OWN(triangular_matrix)(0, "trmm");
    END("trmm");
    OWN(triangular_matrix)(1, "trsm");
    END("trsm");
}

static void OWN(all)(void)
{
    OWN(level1)();
    OWN(level2)();
    OWN(level3)();
}

#undef Array
