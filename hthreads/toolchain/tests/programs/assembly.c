#include <compiler/m3000.h>
#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

#define ROWS 6
#define COLUMNS 48
#define MOST_STEPS 512

void product(const double *a, const double *b, double *c, long k);
void nothing(const double *a, const double *b, double *c, long k);
long sum(int a, long b, short c, unsigned char d, long e, long f, char *g, _Bool h);
double moved(double x, int by);
long apply(long (*function)(long), long x);
long increment(long x);
long count(void);
void fill(lvector long *lanes, long x);
void enable(long mask);

extern long own, in_gsm, *names[3];
long total[2] = {30, 31};

double shift(double x, int by)
{
    /* Calls assembly that calls this file. */
    return by > 1 ? moved(x, by - 1) : x + by;
}

static long triple(long x)
{
    return 3 * x;
}

static long applied_again(long x)
{
    return apply(triple, x) + apply(increment, x);
}

/* `which`: 0 calls nothing, 1 multiplies. */
__global__ void multiply(long k, long which, int *failed)
{
    double *a = scalar_malloc((MOST_STEPS + 2) * ROWS * sizeof(double));
    double *b = vector_malloc((MOST_STEPS + 2) * COLUMNS * sizeof(double));
    double *c = vector_malloc(ROWS * COLUMNS * sizeof(double));
    for (int i = 0; i < MOST_STEPS * ROWS; i++)
        a[i] = i % 7 - 3;
    for (int i = 0; i < MOST_STEPS * COLUMNS; i++)
        b[i] = i % 11 + get_thread_id();
    for (int i = 0; i < ROWS * COLUMNS; i++)
        c[i] = -1;
    void (*volatile function)(const double *, const double *, double *, long) =
        which ? product : nothing;
    function(a, b, c, k);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double expected = which ? 0 : -1;
            for (long step = 0; step < MOST_STEPS; step++)
                if (which && step < k)
                    expected += a[step * ROWS + i] * b[step * COLUMNS + j];
            CHECK(c[i * COLUMNS + j] == expected);
        }
}

/* As `multiply`, without anything else that depends on its arguments. */
__global__ void only_multiply(long k, long which)
{
    double *a = scalar_malloc((MOST_STEPS + 2) * ROWS * sizeof(double));
    double *b = vector_malloc((MOST_STEPS + 2) * COLUMNS * sizeof(double));
    double *c = vector_malloc(ROWS * COLUMNS * sizeof(double));
    void (*volatile functions[])(const double *, const double *, double *, long) = {nothing, product};
    functions[which](a, b, c, k);
}

__global__ void passes_arguments(int *failed)
{
    char *g = (char *)5000000000;
    CHECK(sum(-1, 1000000000000, -3, 255, -5, 6, g, 1) ==
          -1 + 2000000000000 - 12 + 8 * 255 - 80 + 192 + 64 * 5000000000 + 128);
    CHECK(sum(1, 0, 0, 0, 0, 0, 0, 0) == 1);
    CHECK(increment(-1) == 0);
}

__global__ void calls_c(int *failed)
{
    CHECK(moved(1.25, 1) == 3.5);
    CHECK(moved(1.25, 3) == 11);
    CHECK(apply(triple, 7) == 21 && apply(increment, 7) == 8 && apply(applied_again, 5) == 21);
    long (*function)(long) = increment;
    CHECK(function(4) == 5 && function == (long (*)(long))names[2]);
}

__global__ void shares_variables(int *failed)
{
    if (get_thread_id() > 0)
        return;
    in_gsm = 100;
    CHECK(count() == 31 + 8 + 101);
    CHECK(total[0] == 31 && own == 8 && in_gsm == 101);
    total[0] = -5;
    CHECK(count() == -4 + 9 + 102);
    CHECK(names[0] == &own && names[1] == total + 1);
    /* Which is what the compiler of C expects of an array of this size. */
    volatile long address = (long)names;
    CHECK((address & 15) == 0);
}

__global__ void shares_lane_mask(int *failed)
{
    lvector long *lanes = vector_malloc(2 * sizeof *lanes);
    lanes[0] = 1;
    lanes[1] = 1;
    mov_to_vlr(0x00ff);
    fill(lanes, 2);
    enable(0xfff0);
    lanes[1] = 3;
    mov_to_vlr(0xffff);
    long *words = (long *)lanes;
    for (int lane = 0; lane < 16; lane++)
        CHECK(words[lane] == (lane < 8 ? 2 : 1) && words[16 + lane] == (lane < 4 ? 1 : 3));
}

/* Assembly outside functions. */
__asm__(
    "\t.global halved\n"
    "halved:\n"
    "\t  SSHFAR 1, R10, R10\n"
    "\t| SBR R63\n"
    "\t  SNOP 6\n");
long halved(long x);

static long scaled_sum(long a, int b)
{
    long result;
    __asm__("SSHFLL 2, %1, %0\n\tSADD %0, %[b], %0" : "=&r"(result) : "r"(a), [b] "r"(b));
    return result;
}

/* As published kernels are written: one statement is the whole function. */
static void copy_vectors(const lvector long *from, lvector long *to, long count)
{
    __asm__ __volatile__(
        "\t  SMVAGA %0, AR0\n"
        "\t| SMVAGA %1, AR1\n"
        "\t  SMOV %2, R0\n"
        ".Lcopied:\n"
        "\t  VLDW *AR0++[16], VR1\n"
        "\t| SSUB 1, R0, R0\n"
        "\t  SNOP 8\n"
        "\t  VSTW VR1, *AR1++[16]\n"
        "\t| [R0] SBR .Lcopied\n"
        "\t  SNOP 6\n"
        :
        : "r"(from), "r"(to), "r"(count)
        : "memory");
}

__global__ void has_statements(int *failed)
{
    CHECK(halved(-7) == -4);
    CHECK(scaled_sum(5, -1) == 19);
    long x = 21;
    __asm__("SADD %0, %0, %0" : "+r"(x));
    CHECK(x == 42);
    __asm__("SADD %1, %0, %0" : "+r"(x) : "i"(5));
    CHECK(x == 47);
    __asm__ __volatile__("" : "+r"(x) : : "memory");
    CHECK(x == 47);
    lvector long *lanes = vector_malloc(6 * sizeof *lanes);
    long *words = (long *)lanes;
    for (long place = 0; place < 96; place++)
        words[place] = place;
    copy_vectors(lanes, lanes + 3, 3);
    for (long place = 0; place < 96; place++)
        CHECK(words[place] == place % 48);
}

/* Vectors as operands, which the statements leave in the lanes that are disabled. */
static lvector double fused(lvector double a, lvector double b, lvector double c)
{
    lvector double result;
    __asm__("VFMULAD %1, %2, %[c], %0\n\tSNOP 5" : "=v"(result) : "v"(a), "v"(b), [c] "v"(c));
    return result;
}

__global__ void has_statements_with_vectors(int *failed)
{
    lvector double *lanes = vector_malloc(4 * sizeof *lanes);
    double *words = (double *)lanes;
    for (int place = 0; place < 48; place++)
        words[place] = place + 1;
    lanes[3] = fused(lanes[0], lanes[1], lanes[2]);
    for (int lane = 0; lane < 16; lane++)
        CHECK(words[48 + lane] == (lane + 1) * (lane + 17) + lane + 33);
    lvector double sum = lanes[0];
    /* Named registers are not those of operands. */
    __asm__("VMOVI 0, VR7\n|\tVMOVI 0, VR8\n\tVADD %1, %0, %0" : "+v"(sum) : "v"((lvector long)7) : "VR7", "VR8");
    for (int lane = 0; lane < 16; lane++)
        CHECK(((lvector long)sum)[lane] == ((lvector long)lanes[0])[lane] + 7);
    lvector int packed = 5;
    lvector float single = 0;
    long word;
    __asm__("SVBCAST %3, %0\n|\tSMOV %3, %2\n\tSNOP 3\n\tVMOV %0, %1"
            : "=&v"(packed), "=v"(single), "=&r"(word)
            : "r"(0x3f80000040000000));
    for (int part = 0; part < 32; part++) {
        CHECK(packed[part] == (part % 2 ? 0x3f800000 : 0x40000000));
        CHECK(single[part] == (part % 2 ? 1.0f : 2.0f));
    }
    CHECK(word == 0x3f80000040000000);
    lanes[0] = 1;
    mov_to_vlr(0x00f0);
    lanes[0] = fused(lanes[1], lanes[1], lanes[1]);
    mov_to_vlr(0xffff);
    for (int lane = 0; lane < 16; lane++)
        CHECK(words[lane] == (lane < 4 || lane > 7 ? 1 : (lane + 17) * (lane + 18)));
}

/* 1 and 2 for the exits, 0 for the end. */
static int left_by(long x, long y)
{
    __asm__ goto("SEQ %0, %1, R0\n\tSLT %0, %1, R1\n"
                 "\t[R0] SBR %l[equal]\n\tSNOP 6\n\t[R1] SBR %l3\n\tSNOP 6\n\tSMOVI24 9, R60"
                 :
                 : "r"(x), "r"(y)
                 : "R0", "R1"
                 : equal, less);
    return 0;
less:
    return 2;
equal:
    return 1;
}

__global__ void has_statements_with_exits(int *failed)
{
    long me = get_thread_id();
    for (long other = 0; other < 24; other++)
        CHECK(left_by(other, me) == (other == me ? 1 : other < me ? 2 : 0));
}

__global__ void has_statements_with_outputs(int *failed)
{
    long numbers[10];
    int narrow = -2;
    unsigned char byte = 200;
    float single = 0.5f;
    double number = -4;
    long *where = numbers;
    __asm__("SADD 1, %0, %0\n|\tSADD 1, %1, %1\n\tSABS %2, %2\n|\tSMOV %5, %4\n|\tSFABSD %3, %3\n\tSADD 8, %4, %4"
            : "+r"(narrow), "+r"(byte), "+r"(single), "+r"(number), "=&r"(where)
            : "r"(numbers));
    CHECK(narrow == -1 && byte == 201 && single == 0.5f && number == 4 && where == numbers + 1);
    /* More inputs than functions have arguments. */
    long sum;
    __asm__("SADD %1, %2, %0\n\tSADD %3, %0, %0\n\tSADD %4, %0, %0\n\tSADD %5, %0, %0\n\t"
            "SADD %6, %0, %0\n\tSADD %7, %0, %0\n\tSADD %8, %0, %0\n\tSADD %9, %0, %0\n\tSADD %10, %0, %0"
            : "=r"(sum)
            : "r"(1L), "r"(2L), "r"(3L), "r"(4L), "r"(5L), "r"(6L), "r"(7L), "r"(8L), "r"(9L), "r"(10L));
    CHECK(sum == 55);
}

__global__ void has_statements_with_memory(int *failed)
{
    long from = 41, to = 0, both = 1;
    int half = -7;
    __asm__("SLDW %2, R20\n\tSLDH %3, R21\n\tSLDW %1, R22\n\tSNOP 6\n\tSADD R21, R20, R20\n"
            "|\tSADD 1, R22, R22\n\tSSTW R20, %0\n\tSSTW R22, %1"
            : "=m"(to), "+m"(both)
            : "m"(from), "m"(half)
            : "R20", "R21", "R22");
    CHECK(to == 34 && both == 2);
    lvector long *lanes = vector_malloc(2 * sizeof *lanes);
    lvector long variable = get_thread_id();
    __asm__("VLDW %1, VR9\n\tSNOP 8\n\tVSTW VR9, %0" : "=m"(lanes[1]) : "m"(variable) : "VR9");
    for (int lane = 0; lane < 16; lane++)
        CHECK(((long *)lanes)[16 + lane] == get_thread_id());
}
