/* Runs captured launches of a kernel that is in an image, and writes the memories after them. Arguments: the image, the
 * kernel's name, the number of threads, and a file for each launch that says, a word after the other:
 *
 *   range WORDS...                 the 13 words of struct nd_range
 *   memory BYTES MISALIGNMENT BEFORE FOUND
 *   buffer NUMBER OFFSET           arguments, in their order
 *   word VALUE
 *   block BYTES FILE
 *   printed FILE                   where to write what the kernel prints
 *   end
 *
 * It prints a line for each launch: `ran`, or `exception` and its number. */
#include "hthread_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORIES = 64, WORDS = 30, ALIGNMENT = 128, RANGE = 13 };

struct memory {
    void *allocated;
    unsigned char *bytes;
    unsigned long size;
    char found[4096];
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", what, name);
    exit(2);
}

static void *allocate(unsigned long size)
{
    void *memory = hthread_malloc(0, size, HT_MEM_RW);
    if (!memory)
        fail("no memory", "hthread_malloc");
    return memory;
}

static void read_file(const char *name, void *bytes, unsigned long size)
{
    FILE *file = fopen(name, "rb");
    if (!file || fread(bytes, 1, size, file) != size)
        fail("cannot read", name);
    fclose(file);
}

static void word(FILE *file, char *text)
{
    if (fscanf(file, "%4095s", text) != 1)
        fail("a word is missing", "launch");
}

static unsigned long number(FILE *file)
{
    unsigned long value;
    if (fscanf(file, "%lu", &value) != 1)
        fail("a number is missing", "launch");
    return value;
}

static void read_memory(FILE *file, struct memory *memory)
{
    char name[4096];
    memory->size = number(file);
    unsigned long misalignment = number(file);
    memory->allocated = allocate(memory->size + 2 * ALIGNMENT);
    uint64_t start = ((uint64_t)memory->allocated + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memory->bytes = (unsigned char *)(start + misalignment);
    word(file, name);
    read_file(name, memory->bytes, memory->size);
    word(file, memory->found);
}

static void write_memory(const struct memory *memory)
{
    FILE *file = fopen(memory->found, "wb");
    if (!file || fwrite(memory->bytes, 1, memory->size, file) != memory->size)
        fail("cannot write", memory->found);
    fclose(file);
}

/* Lets the standard output be a new file; its descriptor so far. */
static int redirect(const char *name)
{
    fflush(stdout);
    int before = dup(1);
    FILE *file = fopen(name, "w");
    if (!file || before < 0 || dup2(fileno(file), 1) < 0)
        fail("cannot write", name);
    fclose(file);
    return before;
}

static void restore(int before)
{
    fflush(stdout);
    dup2(before, 1);
    close(before);
}

static void run(const char *name, char *kernel, int threads)
{
    struct memory memories[MEMORIES];
    void *blocks[WORDS];
    uint64_t arguments[WORDS] = {0};
    char what[4096], printed[4096] = "/dev/null";
    int memory_count = 0, block_count = 0, argument_count = 1;
    FILE *file = fopen(name, "r");
    if (!file)
        fail("cannot read", name);
    uint64_t *range = allocate(RANGE * sizeof *range);
    arguments[0] = (uint64_t)range;
    for (word(file, what); strcmp(what, "end"); word(file, what)) {
        if (!strcmp(what, "range")) {
            for (int i = 0; i < RANGE; i++)
                range[i] = number(file);
            continue;
        }
        if (!strcmp(what, "printed")) {
            word(file, printed);
            continue;
        }
        if (!strcmp(what, "memory")) {
            if (memory_count == MEMORIES)
                fail("too many memories", name);
            read_memory(file, &memories[memory_count++]);
            continue;
        }
        if (argument_count == WORDS)
            fail("too many arguments", name);
        if (!strcmp(what, "buffer")) {
            unsigned long memory = number(file);
            arguments[argument_count++] = (uint64_t)memories[memory].bytes + number(file);
        } else if (!strcmp(what, "word")) {
            arguments[argument_count++] = number(file);
        } else if (!strcmp(what, "block")) {
            unsigned long size = number(file);
            word(file, what);
            blocks[block_count] = allocate(size);
            read_file(what, blocks[block_count], size);
            arguments[argument_count++] = (uint64_t)blocks[block_count++];
        } else {
            fail("unknown word", what);
        }
    }
    fclose(file);
    int output = redirect(printed);
    int group = hthread_group_create(0, threads, kernel, argument_count, 0, arguments);
    int exception = hthread_group_wait(group);
    restore(output);
    hthread_group_destroy(group);
    for (int i = 0; i < memory_count; i++) {
        write_memory(&memories[i]);
        hthread_free(memories[i].allocated);
    }
    if (exception)
        printf("exception %d\n", exception);
    else
        printf("ran\n");
    fflush(stdout);
    for (int i = 0; i < block_count; i++)
        hthread_free(blocks[i]);
    hthread_free(range);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        fail("usage", "replay IMAGE KERNEL THREADS LAUNCH...");
    hthread_dev_open(0);
    hthread_dat_load(0, argv[1]);
    for (int i = 4; i < argc; i++)
        run(argv[i], argv[2], atoi(argv[3]));
    hthread_dev_close(0);
    return 0;
}
