/* The functions of hthreads for host programs in C and C++. */
#ifndef HTHREAD_HOST_H
#define HTHREAD_HOST_H

#include "hthread_host_macro.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Clusters, 0 to 3. */
int hthread_dev_open(int cluster_id);
int hthread_dev_owner(int cluster_id);
int hthread_dev_close(int cluster_id);

/* Images. */
int hthread_dat_load(int cluster_id, const char *file_path);
int hthread_dat_unload(int cluster_id);
const char *hthread_dat_query(int cluster_id);

/* Groups of threads. The macro hthread_group_create calls the function for its number of arguments. */
int hthread_group_create2(int cluster_id, int num);
int hthread_group_create6(int cluster_id, int num, const char *func_name, int scalar_args,
                          int ptr_args, uint64_t *arg_array);
int hthread_group_masked_create(int cluster_id, unsigned int pmask, const char *func_name,
                                int scalar_args, int ptr_args, uint64_t *arg_array);
int hthread_group_exec(int thread_id, const char *func_name, int scalar_args, int ptr_args,
                       uint64_t *arg_array);
int hthread_group_get_status(int thread_id);
int hthread_group_wait(int thread_id);
int hthread_group_destroy(int thread_id);
int hthread_get_avail_threads(int cluster_id);

/* Memory of a cluster. */
void *hthread_malloc(int cluster_id, unsigned long bytes, int mode);
void hthread_free(void *ptr);

/* The device's address of memory; 0 if the device cannot access it. The machine's library has the function,
 * and its header does not declare it. */
unsigned long hthread_phyaddr(void *ptr);

/* Barriers and read-write locks. */
int hthread_barrier_create(int cluster_id);
void hthread_barrier_destroy(int b_id);
int hthread_rwlock_create(int cluster_id);
void hthread_rwlock_destroy(int lock_id);

/* Interrupts: to a thread of a group, with a number from 16 to 59; and by threads of a group, whose
 * cpu_interrupt(val) calls `func` with the number of the thread and val. */
void hthread_intr_send(int g_id, int t_id, unsigned long intr_id);
unsigned long hthread_handler_register(int thread_id, void (*func)(int id, unsigned long val));

#ifdef __cplusplus
}
#endif

#endif
