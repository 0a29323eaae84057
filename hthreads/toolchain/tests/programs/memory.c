#include <compiler/m3000.h>
#include "hthread_device.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

__gsm__ double matrix[1024 * 128 * 6 - 64];
static __gsm__ long counter;
__share__ long shared_table[64];
static float alpha = 5.0f;
const char text[] = "constant";

__global__ void capacities(int *failed)
{
    CHECK(get_am_free_space() == 768 * 1024);
    CHECK(get_sm_free_space() == 63 * 1024);
    char *first = vector_malloc(375 * 1024), *second = vector_malloc(375 * 1024);
    CHECK(first && second && second == first + 375 * 1024);
    CHECK(get_am_free_space() == 18 * 1024);
    CHECK(!vector_malloc(18 * 1024 + 1));
    CHECK(vector_malloc(18 * 1024));
    CHECK(get_am_free_space() == 0 && !vector_malloc(1));
    CHECK(vector_free(first) == 0 && vector_free(first) == -1 && vector_free(NULL) == -1);
    CHECK(vector_malloc(375 * 1024) == first);
    char *scalar = scalar_malloc(61440);
    CHECK(scalar && !scalar_malloc(4000) && scalar_malloc(3000));
    CHECK(scalar_free(scalar) == 0 && scalar_free(scalar) == -1);
    /* What is not freed is there no more when the next group starts. */
}

__global__ void entries(int *failed)
{
    void *blocks[64];
    for (int i = 0; i < 64; i++)
        CHECK((blocks[i] = vector_malloc(8)));
    CHECK(!vector_malloc(8));
    for (int i = 0; i < 64; i++)
        CHECK(vector_free(blocks[i]) == 0);
    for (int i = 0; i < 32; i++)
        CHECK(scalar_malloc(8));
    CHECK(!scalar_malloc(8));
}

/* Buffers and contents last from one kernel of a group to the next. */
__global__ void leave(int *failed, uint64_t *place)
{
    long *buffer = vector_malloc(128);
    buffer[3] = 100 + get_thread_id();
    place[get_thread_id()] = (uint64_t)buffer;
    CHECK(buffer);
}

__global__ void find(int *failed, uint64_t *place)
{
    long *buffer = (long *)place[get_thread_id()];
    CHECK(buffer[3] == 100 + get_thread_id());
    CHECK(vector_free(buffer) == 0);
}

__global__ void fill_gsm(int *failed)
{
    long count = sizeof matrix / sizeof *matrix;
    for (long i = get_thread_id(); i < count; i += get_group_size())
        matrix[i] = i * 0.5;
    if (get_thread_id() == 0) {
        counter = 77;
        for (int i = 0; i < 64; i++)
            shared_table[i] = i * i;
        alpha += 1;
    }
    CHECK(strcmp(text, "constant") == 0);
}

__global__ void read_gsm(int *failed)
{
    long count = sizeof matrix / sizeof *matrix;
    for (long i = 0; i < count; i += 97)
        CHECK(matrix[i] == i * 0.5);
    CHECK(counter == 77 && shared_table[63] == 63 * 63 && alpha == 6.0f);
    double *buffer = vector_malloc(1024);
    CHECK(vector_load(&matrix[128], buffer, 1024) == 1024);
    CHECK(buffer[127] == 255 * 0.5);
}

__global__ void hbsm(int *failed, long bytes)
{
    if (get_thread_id() == 0) {
        char *block = hbm_malloc(bytes / 2);
        CHECK(block && !hbm_malloc(bytes));
        memset(block, 1, 4096);
        hbm_free(block);
        char *all = hbm_malloc(bytes);
        CHECK(all);
        hbm_free(all);
        hbm_free(NULL);
    }
    long *heap = malloc(1000 * sizeof *heap);
    CHECK(heap);
    heap[999] = 3;
    heap = realloc(heap, 2000 * sizeof *heap);
    CHECK(heap[999] == 3);
    free(heap);
}

struct pair {
    lvector double x, y;
};
typedef double real;
typedef lvector real vector_t;

static lvector double scaled(lvector double v, double by)
{
    return 1.0 + v * by;
}

/* The types of `lvector`, and operators on them. */
__global__ void vectors(int *failed, double *data)
{
    _Static_assert(sizeof(lvector double) == 128, "");
    _Static_assert(sizeof(lvector signed int) == 128, "");
    _Static_assert(sizeof(lvector unsigned long long) == 128, "");
    _Static_assert(sizeof(lvector unsigned short) == 128, "");
    _Static_assert(sizeof(lvector __fp16) == 128 && sizeof(lvector_float16) == 128, "");
    _Static_assert(_Alignof(lvector float) == 8, "");
    lvector double *p = vector_malloc(4 * 128), v, a[4];
    lvector real w;
    vector_t x;
    const lvector volatile double *unused = p;
    (void)unused;
    CHECK(vector_load(data, p, 512) == 512);
    v = 2.0;
    w = p[1] - v;
    x = scaled(w, 3);
    a[2] = -x;
    a[2] += 1;
    a[3] = (double)get_thread_id();
    double lane;
    EXTRACT_VECTOR(a[2], 5, lane);
    CHECK(lane == 1 - (1 + (21 - 2.0) * 3));
    EXTRACT_VECTOR(a[3], 15, lane);
    CHECK(lane == get_thread_id());
    struct pair *pairs = (struct pair *)p;
    pairs[1].y = pairs[0].x * pairs[0].y;
    CHECK(((double *)p)[3 * 16 + 4] == 4.0 * 20.0);
    lvector unsigned long bits = 7;
    bits = (bits << 2) | 1;
    long word;
    EXTRACT_VECTOR(bits, 0, word);
    CHECK(word == 29);
    lvector float single = 0.1;
    single = single * 2;
    float halves[2];
    EXTRACT_VECTOR(single, 3, word);
    memcpy(halves, &word, 8);
    CHECK(halves[0] == 0.1f * 2 && halves[1] == halves[0]);
    /* Casts to other vector types keep the bits. */
    lvector long as_long = (lvector long)v;
    EXTRACT_VECTOR(as_long, 9, word);
    CHECK(word == 0x4000000000000000);
    /* An element of the vector stack is a side of a transfer. */
    lvector double on_stack;
    vector_load(data, &on_stack, 128);
    EXTRACT_VECTOR(on_stack, 15, lane);
    CHECK(lane == 15);
    /* Windows at multiples of 8 bytes need no more alignment. */
    lvector double *window = (lvector double *)((double *)p + 1);
    EXTRACT_VECTOR(*window, 0, lane);
    CHECK(lane == 1);
    /* Denormal numbers count as zero. */
    volatile double tiny = 4e-320;
    CHECK(tiny * 1e10 == 0);
}

/* AM and SM by their addresses on the machine, of which each core has its own. */
#define AM_START 0x400000000
#define SM_START 0x400100000

double *const am_variable = (double *)(AM_START + 1024);

__global__ void has_addresses(int *failed, double *from)
{
    int me = get_thread_id();
    lvector double *lanes = (lvector double *)AM_START;
    unsigned long start = AM_START, end = AM_START + 4 * sizeof *lanes;
    vector_load(from + 64 * me, (void *)AM_START, 512);
    for (unsigned long place = start; place < end; place += sizeof *lanes)
        *(lvector double *)place = *(lvector double *)place + 1.0;
    lvector double sum = lanes[0] + vec_ld(16, lanes) + ((lvector double *)AM_START)[2];
    for (lvector double *last = lanes + 3; last < (lvector double *)end; last++)
        sum = sum + *last;
    for (int lane = 0; lane < 16; lane++)
        CHECK(sum[lane] == 4 * (64 * me + lane + 1) + 96);
    *am_variable = me;
    *(volatile int *)(SM_START + 0x8000) = me + 7;
    int *word = get_thread_id() < 50 ? (int *)(SM_START + 0x8000) : failed;
    CHECK(*(double *)0x400000400 == me && *word == me + 7);
    long first;
    __asm__("SMVAGA %1, AR8\n|\tSMVAGA %2, AR0\n\tSNOP 1\n\tSLDH *AR8, %0\n|\tVLDW *AR0, VR1\n\tSNOP 8\n\tVSTW VR1, *+AR0[80]"
            : "=&r"(first)
            : "r"(SM_START + 0x8000), "r"(start));
    CHECK(first == me + 7);
    CHECK(((double *)AM_START)[80] == 64 * me + 1);
    char *buffer = vector_malloc(64);
    CHECK((void *)buffer == (void *)AM_START);
}

/* Those that the host program passes. */
__global__ void gets_addresses(int *failed, double *am, long *sm, long *ddr)
{
    long me = get_thread_id();
    am[0] = me + 0.5;
    *sm = me;
    ddr[me] = *sm + 1;
    CHECK((void *)am == vector_malloc(64) && ((lvector double *)am)[0][0] == me + 0.5);
    CHECK(*sm == me);
}

/* GSM by its addresses on the machine, where it begins at 0, with the first variable. */
double *const gsm_variable = (double *)0x2000;

__global__ void has_gsm_addresses(int *failed, double *argument, char *number)
{
    long me = get_thread_id(), words = sizeof matrix / sizeof *matrix;
    matrix[words / 24 * me] = me;
    matrix[words / 24 * me + 1] = -me;
    CHECK(*(double *)(8 * (words / 24 * me) + 8) == -me);
    unsigned long place = 0x200000;
    CHECK((double *)place == &matrix[0x40000] && place == 0x200000);
    CHECK(gsm_variable == &matrix[0x400] && argument == &matrix[0x80000]);
    CHECK((long)number == 600);
    double *end = (double *)0x600000;
    CHECK(end - matrix == 0xc0000);
    end[-1 - me] = me + 0.5;
    CHECK(*(double *)(0x5ffff8 - 8 * me) == me + 0.5);
    double *am = vector_malloc(64);
    CHECK(vector_load(8 * (words / 24 * me + 1), am, 8) == 8 && *am == -me);
    if (me == 3)
        *(volatile double *)0x3018 = 2.5;
    unsigned long word;
    __asm__("SMVAGA %1, AR8\n\tSNOP 1\n\tSLDW *AR8, %0\n\tSNOP 6"
            : "=&r"(word)
            : "r"(8 * (words / 24 * me) + 8));
    union {
        double number;
        unsigned long word;
    } same = {-me};
    CHECK(word == same.word);
    char *null = 0, *volatile none = 0;
    CHECK((unsigned long)null == 0 && !none && (void *)0 == none);
}
