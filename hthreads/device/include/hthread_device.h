/* The functions of hthreads for device code. */
#ifndef HTHREAD_DEVICE_H
#define HTHREAD_DEVICE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>

/* A kernel. */
#define __global__ __attribute__((section(".global")))
/* A variable in DDR that the cores of a cluster share. */
#define __share__ __attribute__((section(".share")))
/* A variable in GSM, without initial contents. */
#define __gsm__ __attribute__((section(".gsm")))

/* Copies lane `i` of vector `vr`, 64 bits, to the scalar `r`. */
#define EXTRACT_VECTOR(vr, i, r)                                              \
    do {                                                                      \
        _Static_assert(sizeof(r) == 8, "a lane has 64 bits");                 \
        __builtin_memcpy(&(r), (const char *)&(vr) + 8 * (i), 8);             \
    } while (0)

/* Which thread this is. */
int get_group_size();
unsigned int get_group_cores();
int get_thread_id();
int get_core_id();

/* Barriers and read-write locks; try functions return 1 with the lock and 0 without. */
void group_barrier(unsigned int id);
void core_barrier(unsigned int id, unsigned int num);
void core_barrier_wait(unsigned int id, unsigned int num, unsigned long wait_time);
int rwlock_try_rdlock(unsigned int lock_id);
int rwlock_try_wrlock(unsigned int lock_id);
void rwlock_rdlock(unsigned int lock_id);
void rwlock_wrlock(unsigned int lock_id);
void rwlock_unlock(unsigned int lock_id);

/* Buffers in AM. */
void *vector_malloc(unsigned int bytes);
int vector_free(void *ptr);
int vector_load(void *mem, void *buf, unsigned int bytes);
unsigned int vector_load_async(void *mem, void *buf, unsigned int bytes);
int vector_store(void *buf, void *mem, unsigned int bytes);
unsigned int vector_store_async(void *buf, void *mem, unsigned int bytes);
int get_am_free_space();

/* Buffers in SM. */
void *scalar_malloc(unsigned int bytes);
int scalar_free(void *ptr);
int scalar_load(void *mem, void *buf, unsigned int bytes);
unsigned int scalar_load_async(void *mem, void *buf, unsigned int bytes);
int scalar_store(void *buf, void *mem, unsigned int bytes);
unsigned int scalar_store_async(void *buf, void *mem, unsigned int bytes);
int get_sm_free_space();

/* Blocks in HBSM. */
void *hbm_malloc(unsigned long bytes);
void hbm_free(void *ptr);

/* DMA. Of each side: address, number of rows, bytes of a row, bytes from the end of a row to the next. */
#define __HT_SIDES                                                            \
    void *src, unsigned long src_row_num, unsigned int src_row_size,          \
        int src_row_step, void *dst, unsigned long dst_row_num,               \
        unsigned int dst_row_size, int dst_row_step
#define __HT_GATHER                                                           \
    void *src_base, void *src_index, unsigned long src_row_num,               \
        unsigned int src_row_size, int src_row_step, void *dst,               \
        unsigned long dst_row_num, unsigned int dst_row_size, int dst_row_step

unsigned int dma_p2p(__HT_SIDES, bool row_syn, unsigned int synmask);
unsigned int dma_broadcast(__HT_SIDES, unsigned int core_id, unsigned int barrier_id);
unsigned int dma_segment(__HT_SIDES, unsigned int c_start, unsigned int c_num,
                         unsigned int c_step, unsigned int barrier_id);
unsigned int dma_sg(__HT_GATHER);
void dma_wait(unsigned int ch);
int dma_query(unsigned int ch);
void dma_clear();
unsigned int raw_dma_p2p(__HT_SIDES, bool row_syn, unsigned int synmask, int prir, int chno);
unsigned int raw_dma_broadcast(__HT_SIDES, unsigned int core_id, unsigned int barrier_id,
                               int total_cores, int prir, int chno);
unsigned int raw_dma_segment(__HT_SIDES, unsigned int c_start, unsigned int c_num,
                             unsigned int c_step, unsigned int barrier_id, int prir, int chno);
unsigned int raw_dma_sg(__HT_GATHER, int prir, int chno);
void raw_dma_wait(int tcc);
unsigned int dma_p2p_opt(__HT_SIDES, bool row_syn, unsigned int p2pmask, int ch);
void dma_wait_p2p(unsigned int ch_no);
unsigned int dma_sg_opt(__HT_GATHER, int ch);
void dma_wait_sg(unsigned int ch_no);
void set_prir(unsigned long val);

#undef __HT_SIDES
#undef __HT_GATHER

/* The end of a thread, and delays in microseconds. */
void dsp_abort(unsigned int err_no);
void dsp_halt();
void dsp_sleep(unsigned long usec);

/* Interrupts: the function that those of the host call with their number; one of the host, which calls its
 * handler with `val`; and a test, which the host library shows. */
unsigned long intr_handler_register(void (*func)(int no));
void cpu_interrupt(unsigned long val);
void trigger_cpu(unsigned long val);

/* Which exceptions of arithmetic are recorded, for HTHREAD_DEBUG. Denormals and saturation never are. */
#define ECR_OV 0
#define ECR_INF 1
#define ECR_INEXACT 2
#define ECR_DEN 3
#define ECR_SAT 4
void set_ecr(int EID);
void clear_ecr(int EID);

/* Saturating arithmetic: 0 switches it off, which it is at first. It is not supported: other values raise Ex_InvalidOp. */
void set_sata_mode(int val);

/* Counters of the performance monitor, in simulated time: cycles (0), taken branches (1), interrupts taken (2), packets (3), misses
 * and hits of the data cache (4, 5), misses of the program cache (6), stalls (11), waits (12), packets with instructions (13),
 * exceptions (14), and the instructions of each unit (15 to 25: SIEU, SMAC1, SMAC2, SBR, SLD, VIEU, VMAC1 to VMAC3, VLS0, VLS1).
 * Others stay 0. */
void prof_start(int event_id);
unsigned long prof_read(int event_id);
unsigned long prof_end(int event_id);

/* Text and time. */
void hthread_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int hthread_sprintf(char *str, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int hthread_snprintf(char *str, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int hthread_vsnprintf(char *str, size_t size, const char *fmt, va_list ap);
void hthread_gettimeofday(struct timeval *tv);
unsigned long get_clk();

#endif
