/* CLBlast's C interface: GEMM, GEMV, TRSM and batches of GEMM and AXPY, in single, double
 * and, where the device has it, half precision, against plain loops in double precision.
 *
 * Each result may be as far from the reference as the terms it is a sum of, times the
 * rounding error of the precision, times the number of operations. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <clblast_half.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALF, SINGLE, DOUBLE };
static const size_t SIZE[] = {2, 4, 8};
static const double EPSILON[] = {0x1p-11, 0x1p-24, 0x1p-53};
static const char *const NAME[] = {"half", "single", "double"};

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static int failures, checks;

static void require(cl_int error, const char *what) {
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", what, error);
  exit(1);
}

/* A matrix or vector: on the device in its precision, here what these numbers are. */
struct array {
  cl_mem buffer;
  double *values;
  size_t count;
  int precision;
};

static void transfer(struct array *array, int to_device) {
  void *bytes = malloc(array->count * SIZE[array->precision]);
  size_t size = array->count * SIZE[array->precision];
  if (!to_device)
    require(clEnqueueReadBuffer(queue, array->buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
            "clEnqueueReadBuffer");
  for (size_t i = 0; i < array->count; i++)
    switch (array->precision) {
    case HALF:
      if (to_device)
        ((cl_half *)bytes)[i] = FloatToHalf((float)array->values[i]);
      array->values[i] = HalfToFloat(((cl_half *)bytes)[i]);
      break;
    case SINGLE:
      if (to_device)
        ((float *)bytes)[i] = (float)array->values[i];
      array->values[i] = ((float *)bytes)[i];
      break;
    default:
      if (to_device)
        ((double *)bytes)[i] = array->values[i];
      array->values[i] = ((double *)bytes)[i];
    }
  if (to_device)
    require(clEnqueueWriteBuffer(queue, array->buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
  free(bytes);
}

static double random_number(void) {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static struct array make(size_t count, int precision) {
  struct array array = {NULL, malloc(count * sizeof(double)), count, precision};
  cl_int error;
  array.buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE, count * SIZE[precision], NULL, &error);
  require(error, "clCreateBuffer");
  for (size_t i = 0; i < count; i++)
    array.values[i] = random_number();
  transfer(&array, 1);
  return array;
}

static void drop(struct array array) {
  clReleaseMemObject(array.buffer);
  free(array.values);
}

static void finish(CLBlastStatusCode status, const char *routine) {
  if (status != CLBlastSuccess) {
    fprintf(stderr, "%s: status %d\n", routine, status);
    exit(1);
  }
  require(clFinish(queue), "clFinish");
}

/* Reports a routine whose worst error is that many times what it may be. */
static void report(const char *routine, int precision, const char *how, double worst) {
  int right = worst <= 1;
  checks++;
  failures += !right;
  printf("%-22s %-7s %-12s error %.3f of what is allowed  %s\n", routine, NAME[precision], how,
         worst, right ? "ok" : "WRONG");
}

static double at(const struct array *matrix, size_t start, size_t stride, int transposed,
                 size_t row, size_t column) {
  return matrix->values[start + (transposed ? column * stride + row : row * stride + column)];
}

/* The worst error of C = alpha op(A) op(B) + beta C, all row by row. */
static double product_error(const struct array *a, size_t a_start, size_t a_stride, int a_turned,
                            const struct array *b, size_t b_start, size_t b_stride, int b_turned,
                            const double *before, const struct array *c, size_t c_start,
                            size_t c_stride, size_t m, size_t n, size_t k, double alpha,
                            double beta) {
  double worst = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      size_t place = c_start + i * c_stride + j;
      double sum = 0, terms = fabs(beta * before[place]);
      for (size_t l = 0; l < k; l++) {
        double term =
            at(a, a_start, a_stride, a_turned, i, l) * at(b, b_start, b_stride, b_turned, l, j);
        sum += term;
        terms += fabs(alpha * term);
      }
      double expected = alpha * sum + beta * before[place];
      double allowed = (double)(k + 4) * EPSILON[c->precision] * terms;
      double error = fabs(c->values[place] - expected) / allowed;
      /* Not `>`: NaN is wrong. */
      if (!(error <= worst))
        worst = isnan(error) ? INFINITY : error;
    }
  return worst;
}

static double *copy(const struct array *array) {
  double *values = malloc(array->count * sizeof(double));
  return memcpy(values, array->values, array->count * sizeof(double));
}

#define ALPHA 1.5
#define BETA (-0.75)

/* Calls a routine in the precision at hand; scalars become that precision's. */
#define IN_PRECISION(precision, half, single, in_double)                                        \
  ((precision) == HALF ? (half) : (precision) == SINGLE ? (single) : (in_double))

static CLBlastTranspose turned(int yes) { return yes ? CLBlastTransposeYes : CLBlastTransposeNo; }

static void gemm(int p, size_t m, size_t n, size_t k, int ta, int tb) {
  size_t lda = ta ? m : k, ldb = tb ? k : n;
  struct array a = make(m * k, p), b = make(k * n, p), c = make(m * n, p);
  double *before = copy(&c);
#define GEMM(P, scalar)                                                                         \
  CLBlast##P##gemm(CLBlastLayoutRowMajor, turned(ta), turned(tb), m, n, k, scalar(ALPHA),       \
                   a.buffer, 0, lda, b.buffer, 0, ldb, scalar(BETA), c.buffer, 0, n, &queue,    \
                   NULL)
  finish(IN_PRECISION(p, GEMM(H, FloatToHalf), GEMM(S, (float)), GEMM(D, (double))), "GEMM");
  transfer(&c, 0);
  char how[32];
  snprintf(how, sizeof how, "%zu %c%c", m, ta ? 'T' : 'N', tb ? 'T' : 'N');
  report("GEMM", p, how,
         product_error(&a, 0, lda, ta, &b, 0, ldb, tb, before, &c, 0, n, m, n, k, ALPHA, BETA));
  free(before);
  drop(a), drop(b), drop(c);
}

static void gemv(int p, size_t m, size_t n, int ta) {
  size_t rows = ta ? n : m, columns = ta ? m : n;
  struct array a = make(m * n, p), x = make(columns, p), y = make(rows, p);
  double *before = copy(&y);
#define GEMV(P, scalar)                                                                         \
  CLBlast##P##gemv(CLBlastLayoutRowMajor, turned(ta), m, n, scalar(ALPHA), a.buffer, 0, n,      \
                   x.buffer, 0, 1, scalar(BETA), y.buffer, 0, 1, &queue, NULL)
  finish(IN_PRECISION(p, GEMV(H, FloatToHalf), GEMV(S, (float)), GEMV(D, (double))), "GEMV");
  transfer(&y, 0);
  report("GEMV", p, ta ? "T" : "N",
         product_error(&a, 0, n, ta, &x, 0, 1, 0, before, &y, 0, 1, rows, 1, columns, ALPHA,
                       BETA));
  free(before);
  drop(a), drop(x), drop(y);
}

/* A X = alpha B with a lower triangle A: what is left of B when A X is taken away. */
static void trsm(int p, size_t m, size_t n) {
  struct array a = make(m * m, p), b = make(m * n, p);
  for (size_t i = 0; i < m; i++)
    a.values[i * m + i] = 4 + fabs(a.values[i * m + i]);
  for (size_t i = 0; i < m * m; i++)
    if (i / m != i % m)
      a.values[i] /= (double)m;
  transfer(&a, 1);
  double *before = copy(&b);
#define TRSM(P, scalar)                                                                         \
  CLBlast##P##trsm(CLBlastLayoutRowMajor, CLBlastSideLeft, CLBlastTriangleLower,                \
                   CLBlastTransposeNo, CLBlastDiagonalNonUnit, m, n, scalar(ALPHA), a.buffer,   \
                   0, m, b.buffer, 0, n, &queue, NULL)
  finish(p == SINGLE ? TRSM(S, (float)) : TRSM(D, (double)), "TRSM");
  transfer(&b, 0);
  double worst = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      double left = ALPHA * before[i * n + j], terms = fabs(left);
      for (size_t l = 0; l <= i; l++) {
        double term = a.values[i * m + l] * b.values[l * n + j];
        left -= term;
        terms += fabs(term);
      }
      double error = fabs(left) / ((double)(m + 4) * EPSILON[p] * terms);
      if (!(error <= worst))
        worst = isnan(error) ? INFINITY : error;
    }
  report("TRSM", p, "lower", worst);
  free(before);
  drop(a), drop(b);
}

enum { BATCHES = 5 };

static void axpy_batched(int p, size_t n) {
  struct array x = make(BATCHES * n, p), y = make(BATCHES * n, p);
  double *before = copy(&y), worst = 0;
  float single[BATCHES];
  double alphas[BATCHES];
  size_t x_starts[BATCHES], y_starts[BATCHES];
  for (size_t i = 0; i < BATCHES; i++) {
    single[i] = (float)i - 1.5f, alphas[i] = single[i];
    x_starts[i] = i * n, y_starts[i] = (BATCHES - 1 - i) * n;
  }
  finish(p == SINGLE ? CLBlastSaxpyBatched(n, single, x.buffer, x_starts, 1, y.buffer, y_starts,
                                           1, BATCHES, &queue, NULL)
                     : CLBlastDaxpyBatched(n, alphas, x.buffer, x_starts, 1, y.buffer, y_starts,
                                           1, BATCHES, &queue, NULL),
         "AXPYBATCHED");
  transfer(&y, 0);
  for (size_t i = 0; i < BATCHES; i++)
    for (size_t j = 0; j < n; j++) {
      double old = before[y_starts[i] + j], term = alphas[i] * x.values[x_starts[i] + j];
      double allowed = 4 * EPSILON[p] * (fabs(old) + fabs(term));
      double error = fabs(y.values[y_starts[i] + j] - old - term) / allowed;
      if (!(error <= worst))
        worst = isnan(error) ? INFINITY : error;
    }
  report("AXPYBATCHED", p, "", worst);
  free(before);
  drop(x), drop(y);
}

/* Batches by lists of offsets, or by strides. */
static void gemm_batched(int p, int strided, size_t m, size_t n, size_t k) {
  struct array a = make(BATCHES * m * k, p), b = make(BATCHES * k * n, p),
               c = make(BATCHES * m * n, p);
  double *before = copy(&c), worst = 0;
  float single_alphas[BATCHES], single_betas[BATCHES];
  double alphas[BATCHES], betas[BATCHES];
  size_t a_starts[BATCHES], b_starts[BATCHES], c_starts[BATCHES];
  for (size_t i = 0; i < BATCHES; i++) {
    alphas[i] = strided ? ALPHA : 0.5 * (double)i - 0.75, betas[i] = strided ? BETA : 2 - (double)i;
    single_alphas[i] = (float)alphas[i], single_betas[i] = (float)betas[i];
    a_starts[i] = i * m * k, c_starts[i] = i * m * n;
    b_starts[i] = (strided ? i : BATCHES - 1 - i) * k * n;
  }
#define STRIDED(P, scalar)                                                                      \
  CLBlast##P##gemmStridedBatched(CLBlastLayoutRowMajor, turned(0), turned(0), m, n, k,          \
                                 scalar(ALPHA), a.buffer, 0, k, m *k, b.buffer, 0, n, k *n,     \
                                 scalar(BETA), c.buffer, 0, n, m *n, BATCHES, &queue, NULL)
#define BATCHED(P, alphas, betas)                                                               \
  CLBlast##P##gemmBatched(CLBlastLayoutRowMajor, turned(0), turned(0), m, n, k, alphas,         \
                          a.buffer, a_starts, k, b.buffer, b_starts, n, betas, c.buffer,        \
                          c_starts, n, BATCHES, &queue, NULL)
  if (strided)
    finish(IN_PRECISION(p, STRIDED(H, FloatToHalf), STRIDED(S, (float)), STRIDED(D, (double))),
           "GEMMSTRIDEDBATCHED");
  else
    finish(p == SINGLE ? BATCHED(S, single_alphas, single_betas) : BATCHED(D, alphas, betas),
           "GEMMBATCHED");
  transfer(&c, 0);
  for (size_t i = 0; i < BATCHES; i++) {
    double error = product_error(&a, a_starts[i], k, 0, &b, b_starts[i], n, 0, before, &c,
                                 c_starts[i], n, m, n, k, alphas[i], betas[i]);
    worst = error > worst ? error : worst;
  }
  char how[32];
  snprintf(how, sizeof how, "%d of %zu", BATCHES, m);
  report(strided ? "GEMMSTRIDEDBATCHED" : "GEMMBATCHED", p, how, worst);
  free(before);
  drop(a), drop(b), drop(c);
}

int main(void) {
  cl_platform_id platform;
  cl_int error;
  char name[256], extensions[4096];
  require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  require(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
  require(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL),
          "clGetDeviceInfo");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  require(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  require(error, "clCreateCommandQueue");
  printf("CLBlast on %s\n", name);

  for (int p = strstr(extensions, "cl_khr_fp16") ? HALF : SINGLE; p <= DOUBLE; p++) {
    for (int turn = 0; turn < 4; turn++)
      gemm(p, 97, 130, 75, turn & 1, turn >> 1);
    /* Beyond a threshold CLBlast takes another kernel. */
    gemm(p, 512, 512, 256, 0, 0);
    gemv(p, 300, 211, 0);
    gemv(p, 300, 211, 1);
    gemm_batched(p, 1, 48, 33, 29);
    /* CLBlast itself is wrong here in half precision (docs/clients.md), and has no TRSM. */
    if (p == HALF)
      continue;
    trsm(p, 150, 64);
    axpy_batched(p, 1000);
    gemm_batched(p, 0, 48, 33, 29);
  }
  printf("%d of %d are right\n", checks - failures, checks);
  CLBlastClearCache();
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return failures > 0;
}
