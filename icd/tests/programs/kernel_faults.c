/* A fault in a kernel or outside, with handlers of the program: `kernel_faults HANDLER FAULT`. Also
   loaded as a library, whose functions are `prepare` and `cause`. */
#define _GNU_SOURCE
#include "common.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGE = 4096, HANDLED = 42, WRONG = 3 };

static const char *mode;
static char *page;
static void *expected_address;
/* Of SIGSEGV. */
static struct sigaction previous;

static const char *const source =
    "kernel void store(global int *data, global int *empty, long index)"
    "{ if (get_global_id(0) == 21) data[index] = empty ? 2 : 1; }\n"
    "kernel void load(global int *data, global int *empty, long index)"
    "{ if (get_global_id(0) == 21) data[0] = data[index]; }\n"
    "kernel void store_to_null(global int *data, global int *empty, long index)"
    "{ if (get_global_id(0) == 21) empty[index] = 1; }\n"
    "kernel void trap(global int *data, global int *empty, long index)"
    "{ if (data[index] == 7) __builtin_trap(); data[index + 1] = 1; }\n"
    "kernel void store_to_local(global int *data, global int *empty, long index)"
    "{ local int tile[100]; tile[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE);"
    "  if (get_global_id(0) == 21) tile[index] = 2; barrier(CLK_LOCAL_MEM_FENCE);"
    "  data[get_global_id(0)] = tile[data[0] & 7]; }\n"
    "kernel void store_to_private(global int *data, global int *empty, long index)"
    "{ int own[100]; for (int i = 0; i < 100; ++i) own[i] = data[i];"
    "  barrier(CLK_GLOBAL_MEM_FENCE); if (get_global_id(0) == 21) own[index] = 2;"
    "  data[get_global_id(0)] = own[data[0] & 7]; }\n"
    "void put(global int *place, int value) { *place = value; }\n"
    "kernel void call(global int *data, global int *empty, long index)\n"
    "{ if (get_global_id(0) == 21) put(data + index, 2); }\n"
    "kernel void copy(global int *data, global int *empty, long index)"
    "{ local int tile[8]; event_t e = async_work_group_copy(tile, data + index, 8, 0);"
    "  wait_group_events(1, &e); data[get_global_id(0)] = tile[data[0] & 7]; }\n"
    "kernel void stop(global int *data, global int *empty, long index)"
    "{ if (data[index] == 7) __builtin_debugtrap(); data[index + 1] = 1; }\n"
    "kernel void divide(global int *data, global int *empty, long index)"
    "{ __builtin_debugtrap(); float zero = *(volatile global int *)(data + index);"
    "  data[index + 1] = 1.0f / zero > 2.0f; }";

/* Sources and a header of a program that is linked. */
static const char *const calls =
    "void far_put(global int *place);\n"
    "kernel void call_far(global int *data, global int *empty, long index)\n"
    "{ if (get_global_id(0) == 21) far_put(data + index); }\n";
static const char *const far =
    "#include \"value.h\"\n"
    "void far_put(global int *place)\n"
    "{\n"
    "  *place = VALUE;\n"
    "}\n";
static const char *const header = "#define VALUE 2\n";

static int is_blocked(int number)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    return sigismember(&mask, number);
}

static void handle(int number, siginfo_t *info, void *machine)
{
    struct sigaction now;
    (void)!write(2, "own handler\n", 12);
    if (expected_address && info->si_addr != expected_address)
        _exit(WRONG);
    if (!strcmp(mode, "chained")) {
        previous.sa_sigaction(number, info, machine);
        return;
    }
    if (!is_blocked(SIGUSR1) || is_blocked(number) != !!strcmp(mode, "no-defer"))
        _exit(WRONG);
    sigaction(number, NULL, &now);
    if (!strcmp(mode, "reset") && now.sa_handler != SIG_DFL)
        _exit(WRONG);
    _exit(HANDLED);
}

static void handle_number(int number)
{
    _exit(is_blocked(number) ? HANDLED : WRONG);
}

static void install(void)
{
    static const int numbers[] = {SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSEGV};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO;
    sigaddset(&action.sa_mask, SIGUSR1);
    if (!strcmp(mode, "no-defer"))
        action.sa_flags |= SA_NODEFER;
    if (!strcmp(mode, "reset"))
        action.sa_flags |= SA_RESETHAND;
    if (!strcmp(mode, "number")) {
        action.sa_flags = 0;
        action.sa_handler = handle_number;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        sigaction(numbers[i], &action, &previous);
}

static void run(const char *name, cl_long index)
{
    size_t global = 64, local = 8;
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    OK(code);
    OK(clSetKernelArg(made, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(made, 1, sizeof buffer, NULL));
    OK(clSetKernelArg(made, 2, sizeof index, &index));
    OK(clEnqueueNDRangeKernel(queue, made, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(made));
}

/* The handler is installed before the first launch or after it. */
void prepare(const char *handler)
{
    static const struct rlimit none = {0, 0};
    int is_late = !strcmp(handler, "late") || !strcmp(handler, "chained");
    cl_int code;
    mode = handler;
    setrlimit(RLIMIT_CORE, &none);
    if (strcmp(mode, "none") && !is_late)
        install();
    build(source, "store");
    page = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        abort();
    page += PAGE;
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    OK(clReleaseMemObject(buffer));
    buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, PAGE, page, &code);
    OK(code);
    run("store", 5);
    if (is_late)
        install();
}

static void map_beyond_the_end_of_a_file(void)
{
    FILE *file = tmpfile();
    if (!file || mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                      fileno(file), 0) != page)
        abort();
}

/* Stores before the start or behind the end of a buffer that the platform allocates. */
static void store_beyond(size_t size, cl_long bytes)
{
    cl_int code;
    OK(clReleaseMemObject(buffer));
    buffer = clCreateBuffer(context, 0, size, NULL, &code);
    OK(code);
    run("store", (bytes < 0 ? bytes : (cl_long)size + bytes) / (cl_long)sizeof(int));
}

/* The same program from its binary. */
static void build_from_binary(void)
{
    size_t size;
    unsigned char *binary;
    cl_device_id device;
    cl_int status, code;
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    binary = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    OK(clReleaseProgram(program));
    program = clCreateProgramWithBinary(context, 1, &device, &size,
                                        (const unsigned char **)&binary, &status, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    free(binary);
}

/* A program that is linked of two sources, of which one may be in a library. */
static void link_programs(int in_library)
{
    const char *name = "value.h";
    cl_program parts[2], library, headers;
    cl_int code;
    OK(clReleaseProgram(program));
    parts[0] = clCreateProgramWithSource(context, 1, (const char **)&calls, NULL, &code);
    OK(code);
    parts[1] = clCreateProgramWithSource(context, 1, (const char **)&far, NULL, &code);
    OK(code);
    headers = clCreateProgramWithSource(context, 1, (const char **)&header, NULL, &code);
    OK(code);
    for (int i = 0; i < 2; ++i)
        OK(clCompileProgram(parts[i], 0, NULL, "", 1, &headers, &name, NULL, NULL));
    OK(clReleaseProgram(headers));
    if (in_library) {
        library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL,
                                &code);
        OK(code);
        OK(clReleaseProgram(parts[1]));
        parts[1] = library;
    }
    program = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &code);
    OK(code);
    OK(clReleaseProgram(parts[0]));
    OK(clReleaseProgram(parts[1]));
}

/* Has the code that has stopped trap when it divides by zero, which no kernel does by itself. */
static void unmask_division(int number, siginfo_t *info, void *machine)
{
    enum { ZERO_DIVIDE_MASK = 1 << 9 };
    ((ucontext_t *)machine)->uc_mcontext.fpregs->mxcsr &= ~ZERO_DIVIDE_MASK;
}

void cause(const char *fault)
{
    size_t size;
    long bytes;
    if (!strcmp(fault, "after")) {
        expected_address = page + 1030 * sizeof(int);
        run("store", 1030);
    } else if (!strcmp(fault, "read")) {
        expected_address = page + 1031 * sizeof(int);
        run("load", 1031);
    } else if (!strcmp(fault, "call")) {
        run("call", 1030);
    } else if (!strcmp(fault, "copy")) {
        run("copy", 1030);
    } else if (!strcmp(fault, "binary")) {
        build_from_binary();
        run("store", 1030);
    } else if (!strcmp(fault, "linked")) {
        link_programs(0);
        run("call_far", 1030);
    } else if (!strcmp(fault, "library")) {
        link_programs(1);
        run("call_far", 1030);
    } else if (!strcmp(fault, "linked binary")) {
        link_programs(1);
        build_from_binary();
        run("call_far", 1030);
    } else if (!strcmp(fault, "arithmetic")) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = unmask_division;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGTRAP, &action, NULL);
        ((int *)page)[2] = 0;
        run("divide", 2);
    } else if (!strcmp(fault, "stop")) {
        ((int *)page)[0] = 7;
        run("stop", 0);
    } else if (!strcmp(fault, "before")) {
        expected_address = page - 3 * sizeof(int);
        run("store", -3);
    } else if (!strcmp(fault, "null")) {
        run("store_to_null", 3);
    } else if (!strcmp(fault, "bus")) {
        map_beyond_the_end_of_a_file();
        expected_address = page + 4 * sizeof(int);
        run("store", 4);
    } else if (!strcmp(fault, "trap")) {
        ((int *)page)[0] = 7;
        run("trap", 0);
    } else if (sscanf(fault, "beyond %zu %ld", &size, &bytes) == 2) {
        store_beyond(size, bytes);
    } else if (!strcmp(fault, "local")) {
        run("store_to_local", 100 + 8192 / sizeof(int));
    } else if (!strcmp(fault, "private")) {
        run("store_to_private", 15000);
    } else if (!strcmp(fault, "host")) {
        expected_address = page - PAGE;
        *(volatile int *)expected_address = 1;
    } else if (!strcmp(fault, "sent")) {
        raise(SIGSEGV);
    }
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    prepare(arguments[1]);
    cause(arguments[2]);
    return 0;
}
