#include "check.h"
#include "libmt.h"

static char *data;

/* Runs a kernel on 8 threads; the number of its exception. */
static int exception(const char *kernel)
{
    uint64_t argument = (uint64_t)data;
    int group = hthread_group_create(0, 8, kernel, 0, 1, &argument);
    int number = hthread_group_wait(group);
    EXPECT(hthread_group_get_status(group) == (number ? 2 : 0));
    /* The group can be used again. */
    EXPECT(hthread_group_exec(group, "nothing", 0, 0, NULL) == 0);
    EXPECT(hthread_group_wait(group) == 0);
    hthread_group_destroy(group);
    return number;
}

/* Writes the image with each line that begins with a text replaced, and loads it. */
static void load_changed(const char *begin, const char *line)
{
    char text[1 << 16];
    FILE *from = fopen("kernel.dat", "r"), *to = fopen("changed.dat", "w");
    while (fgets(text, sizeof text, from))
        fputs(strncmp(text, begin, strlen(begin)) ? text : line, to);
    fclose(from);
    fclose(to);
    hthread_dat_load(0, "changed.dat");
}

static int interrupted;

static void waits(int id, unsigned long value)
{
    EXPECT(id == 0 && value == 5);
    hthread_group_wait(interrupted);
}

static void closes(int id, unsigned long value)
{
    EXPECT(id == 0 && value == 5);
    hthread_dev_close(0);
}

static void exits(int id, unsigned long value)
{
    EXPECT(id == 0 && value == 5);
    EXPECT(mt_exit(0) == -1);
}

/* Starts a kernel on 8 threads, with that handler. */
static void start(const char *kernel, void (*handler)(int id, unsigned long value))
{
    uint64_t argument = (uint64_t)data;
    interrupted = hthread_group_create(0, 8);
    hthread_handler_register(interrupted, handler);
    hthread_group_exec(interrupted, kernel, 0, 1, &argument);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    uint64_t none[31] = {0};
    if (!strcmp(what, "no_cluster"))
        hthread_dev_open(4);
    if (!strcmp(what, "not_open"))
        hthread_dat_load(0, "kernel.dat");
    if (!strcmp(what, "create_not_open"))
        hthread_group_create(0, 1);
    hthread_dev_open(0);
    if (!strcmp(what, "no_file"))
        hthread_dat_load(0, "missing.dat");
    if (!strcmp(what, "no_image"))
        hthread_dat_load(0, "kernel.out");
    if (!strcmp(what, "reservations"))
        load_changed("#._cl_args_addr", "");
    if (!strcmp(what, "function_table"))
        load_changed("$", "$1000000 \n");
    if (!strcmp(what, "cut"))
        load_changed("@", "@0x0");
    if (!strcmp(what, "folder"))
        hthread_dat_load(0, ".");
    if (!strcmp(what, "not_loaded"))
        hthread_group_create(0, 1, "nothing", 0, 0, NULL);
    hthread_dat_load(0, "kernel.dat");
    data = hthread_malloc(0, 1 << 20, HT_MEM_RW);
    if (!strcmp(what, "unloaded")) {
        int group = hthread_group_create(0, 1);
        hthread_dat_unload(0);
        hthread_group_exec(group, "nothing", 0, 0, NULL);
    }
    if (!strcmp(what, "closed")) {
        int group = hthread_group_create(0, 1);
        hthread_dev_close(0);
        EXPECT(hthread_group_wait(group) == -1 && hthread_malloc(0, 64, HT_MEM_RW) == NULL);
        hthread_free(data);
        hthread_group_exec(group, "nothing", 0, 0, NULL);
    }
    if (!strcmp(what, "destroyed")) {
        int group = hthread_group_create(0, 1);
        EXPECT(hthread_group_destroy(group) == 0 && hthread_group_destroy(group) == -1);
        EXPECT(hthread_group_get_status(group) == -1 && hthread_group_wait(group) == -1);
        hthread_group_exec(group, "nothing", 0, 0, NULL);
    }
    if (!strcmp(what, "negative_threads"))
        hthread_group_create(0, -3);
    if (!strcmp(what, "masked_none"))
        EXPECT(hthread_group_masked_create(0, 0xff000000, "nothing", 0, 0, NULL) == -1);
    if (!strcmp(what, "masked_no_kernel")) {
        EXPECT(hthread_group_masked_create(0, 6, "missing", 0, 0, NULL) == -1);
        EXPECT(hthread_get_avail_threads(0) == 24);
    }
    if (!strcmp(what, "masked_arguments"))
        EXPECT(hthread_group_masked_create(0, 6, "nothing", 31, 0, none) == -1);
    if (!strcmp(what, "no_kernel"))
        hthread_group_create(0, 1, "missing", 0, 0, NULL);
    if (!strcmp(what, "no_kernel_exec"))
        hthread_group_exec(hthread_group_create(0, 1), "missing", 0, 0, NULL);
    if (!strcmp(what, "arguments"))
        hthread_group_create(0, 1, "nothing", 1, 30, none);
    if (!strcmp(what, "no_threads"))
        hthread_group_create(0, 0, "nothing", 0, 0, NULL);
    if (!strcmp(what, "no_cores")) {
        hthread_group_create(0, 24);
        hthread_group_create(0, 3, "nothing", 0, 0, NULL);
    }
    if (!strcmp(what, "no_group"))
        hthread_group_exec(7, "nothing", 0, 0, NULL);
    if (!strcmp(what, "busy")) {
        hthread_group_create(0, 3);
        EXPECT(hthread_group_masked_create(0, 0x3e, "nothing", 0, 0, NULL) == -1);
    }
    if (!strcmp(what, "missing_threads")) {
        hthread_group_create(0, 20);
        EXPECT(hthread_group_wait(hthread_group_create(0, 8, "nothing", 0, 0, NULL)) == 13);
    }
    if (!strcmp(what, "interrupt_no_group"))
        hthread_intr_send(7, 0, 16);
    if (!strcmp(what, "handler_no_group"))
        hthread_handler_register(7, waits);
    if (!strcmp(what, "interrupt_no_thread"))
        hthread_intr_send(hthread_group_create(0, 3), 3, 16);
    if (!strcmp(what, "interrupt_number"))
        hthread_intr_send(hthread_group_create(0, 3), 2, 60);
    if (!strcmp(what, "interrupt_no_kernel")) {
        hthread_intr_send(hthread_group_create(0, 3), 2, 16);
        EXPECT(exception("nothing") == 0);
    }
    if (!strcmp(what, "interrupt_no_handler")) {
        start("interrupts", NULL);
        EXPECT(hthread_group_wait(interrupted) == 0);
    }
    if (!strcmp(what, "interrupt_deadlock")) {
        start("stuck", NULL);
        hthread_intr_send(interrupted, 4, 59);
        EXPECT(hthread_group_wait(interrupted) == 13);
    }
    if (!strcmp(what, "handler_waits") || !strcmp(what, "handler_closes")) {
        start("interrupts", what[8] == 'w' ? waits : closes);
        hthread_group_wait(interrupted);
    }
    if (!strcmp(what, "handler_exits")) {
        start("interrupts", exits);
        hthread_group_wait(interrupted);
    }
    if (!strcmp(what, "mt_cores"))
        EXPECT(mt_run(0, 6) == -1 && mt_wait(0, 6) == -1);
    if (!strcmp(what, "mt_entry"))
        EXPECT(mt_open_core(0, 6) == 0 && mt_run(0, 6) == -1);
    if (!strcmp(what, "mt_xrun"))
        EXPECT(mt_open_core(0, 6) == 0 && mt_set_entry(0, 6, "nothing") == 0 && mt_xrun(0, 6) == -1);
    if (!strcmp(what, "arithmetic")) {
        double values[] = {1e300, 0, -1, 0.1};
        memcpy(data, values, sizeof values);
        EXPECT(exception(what) == 0);
        setenv("HTHREAD_DEBUG", "1", 1);
        EXPECT(exception(what) == 0);
    }
    if (!strcmp(what, "saturates"))
        EXPECT(exception(what) == 4 && data[0] == 1);
    if (!strcmp(what, "too_many_transfers"))
        EXPECT(exception(what) == 18);
    if (!strcmp(what, "busy_channel"))
        EXPECT(exception(what) == 33);
    if (!strcmp(what, "no_channel"))
        EXPECT(exception(what) == 17);
    if (!strncmp(what, "segment_", 8) || !strncmp(what, "gathers_", 8))
        EXPECT(exception(what) == 9);
    if (!strcmp(what, "waits_long")) {
        memset(data, 0, 64);
        EXPECT(exception(what) == 0);
    }
    if (!strcmp(what, "aborts_oddly"))
        EXPECT(exception(what) == 77);
    if (!strcmp(what, "aborts"))
        EXPECT(exception(what) == 22);
    if (!strcmp(what, "asserts"))
        EXPECT(exception(what) == 4);
    if (!strcmp(what, "mismatched_barrier") || !strcmp(what, "late") || !strcmp(what, "deadlock") ||
        !strcmp(what, "busy_waits"))
        EXPECT(exception(what) == 13);
    if (!strcmp(what, "misaligned") || !strcmp(what, "sizes_differ") || !strcmp(what, "no_rows") ||
        !strcmp(what, "overstep") || !strcmp(what, "in_core"))
        EXPECT(exception(what) == 9);
    if (!strcmp(what, "wild_pointer") || !strcmp(what, "null_pointer") || !strcmp(what, "beyond_ddr") ||
        !strcmp(what, "wild_text"))
        EXPECT(exception(what) == 8);
    if (!strcmp(what, "no_buffer"))
        EXPECT(exception(what) == 9);
    if (!strcmp(what, "beyond_am"))
        EXPECT(exception(what) == 10);
    if (!strcmp(what, "beyond_sm") || !strcmp(what, "stack_overflow"))
        EXPECT(exception(what) == 11);
    if (!strcmp(what, "divides_by_zero"))
        EXPECT(exception(what) == 4);
    if (!strcmp(what, "no_interrupt"))
        EXPECT(exception(what) == 13);
    /* Its number is 0. */
    if (!strcmp(what, "vector_conflict")) {
        uint64_t argument = (uint64_t)data;
        int group = hthread_group_create(0, 1, what, 0, 1, &argument);
        EXPECT(hthread_group_wait(group) == 0);
        EXPECT(hthread_group_get_status(group) == 2);
        hthread_group_destroy(group);
    }
    if (!strcmp(what, "scalar_conflict"))
        EXPECT(exception(what) == 1);
    if (!strcmp(what, "misaligned_lanes"))
        EXPECT(exception(what) == 5);
    if (!strcmp(what, "misaligned_word"))
        EXPECT(exception(what) == 6);
    if (!strcmp(what, "misaligned_vector"))
        EXPECT(exception(what) == 5);
    if (!strcmp(what, "misaligned_store") || !strcmp(what, "misaligned_loop") ||
        !strcmp(what, "misaligned_branch") || !strcmp(what, "misaligned_in_sm") ||
        !strcmp(what, "misaligned_copy") || !strcmp(what, "misaligned_atomic"))
        EXPECT(exception(what) == 6);
    if (!strcmp(what, "aligned_enough"))
        EXPECT(exception(what) == 0);
    if (!strcmp(what, "no_code"))
        EXPECT(exception(what) == 7);
    if (!strcmp(what, "wild_word"))
        EXPECT(exception(what) == 8);
    if (!strcmp(what, "lanes_outside"))
        EXPECT(exception(what) == 10);
    hthread_dev_close(0);
    return finish();
}
