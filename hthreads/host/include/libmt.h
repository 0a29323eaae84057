/* libMT, the layer below hthreads: buffers, addresses, images, arguments, and the start of cores. Functions
 * return 0, or -1 after a message on the standard error. A set of cores is named by its mask, bit i for core i,
 * as it was opened. */
#ifndef LIBMT_H
#define LIBMT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clusters, 0 to 3. */
int mt_init(int cluster_id);
int mt_reset_cluster(int cluster_id);
int mt_exit(int cluster_id);

/* Memory that host and device access, and its addresses for both. */
void *mt_malloc(int cluster_id, unsigned long bytes);
void mt_free(void *ptr);
unsigned long mt_phyaddr(const void *ptr);
void *mt_viraddr(unsigned long address);

/* Caches of the host: invalidated before it reads, written back after it has written. */
void mt_inv(void *ptr, unsigned long bytes);
void mt_flush(void *ptr, unsigned long bytes);

/* Image, cores, the function that they run, and its arguments. */
int mt_load_dat(int cluster_id, const char *file_path);
int mt_open_core(int cluster_id, unsigned int mask);
int mt_close_core(int cluster_id, unsigned int mask);
int mt_set_entry(int cluster_id, unsigned int mask, const char *func_name);
int mt_load_args(int cluster_id, unsigned int mask, int count, const uint64_t *args);

/* Start by firing, and by interrupts of cores that have been fired; waits return the number of an exception. */
int mt_run(int cluster_id, unsigned int mask);
int mt_wait(int cluster_id, unsigned int mask);
int mt_xrun(int cluster_id, unsigned int mask);
int mt_xwait(int cluster_id, unsigned int mask);
int mt_send_intr(int cluster_id, unsigned int mask, int core_id, unsigned long intr_id);

#ifdef __cplusplus
}
#endif

#endif
