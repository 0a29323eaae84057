/* Compresses audio samples on the accelerators of a custom device, restores them, and reports the error.
 *
 *   cc -o audio audio.c -lOpenCL -lm
 *   MOCL3_MACHINE=dsp ./audio [FILE.wav [KEPT]]
 *
 * Without a file, or with an empty name, the samples are a chord that fades away. Of each block of 64
 * samples the KEPT largest coefficients of its cosine transform are kept (8), as whole numbers of 12 bits.
 * Each block is a sub-buffer, and no block waits for another one: the queue is out of order. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, RATE = 44100, LEVELS = 2047 };

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

/* The first channel of a WAV file of 16 bits. */
static float *read_wav(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    unsigned char head[12], chunk[8], format[16];
    if (!file || fread(head, 1, 12, file) != 12 || memcmp(head, "RIFF", 4) || memcmp(head + 8, "WAVE", 4)) {
        fprintf(stderr, "%s is no WAV file\n", path);
        exit(EXIT_FAILURE);
    }
    unsigned channels = 0, bits = 0;
    while (fread(chunk, 1, 8, file) == 8) {
        unsigned long size = chunk[4] | chunk[5] << 8 | chunk[6] << 16 | (unsigned long)chunk[7] << 24;
        if (!memcmp(chunk, "fmt ", 4) && size >= 16 && fread(format, 1, 16, file) == 16) {
            channels = format[2] | format[3] << 8;
            bits = format[14] | format[15] << 8;
            size -= 16;
        } else if (!memcmp(chunk, "data", 4) && channels > 0 && bits == 16) {
            size_t frames = size / (2 * channels);
            float *samples = malloc((frames + 1) * sizeof *samples);
            unsigned char *frame = malloc(2 * channels);
            *count = 0;
            while (samples && frame && *count < frames && fread(frame, 2, channels, file) == channels)
                samples[(*count)++] = (float)(short)(frame[0] | frame[1] << 8) / 32768;
            free(frame);
            fclose(file);
            return samples;
        }
        fseek(file, (long)(size + (size & 1)), SEEK_CUR);
    }
    fprintf(stderr, "%s has no samples of 16 bits\n", path);
    exit(EXIT_FAILURE);
}

/* A second of a chord that fades away. */
static float *make_chord(size_t *count)
{
    float *samples = malloc(RATE * sizeof *samples);
    *count = RATE;
    for (size_t i = 0; samples && i < *count; ++i) {
        double time = (double)i / RATE, fade = exp(-2 * time);
        samples[i] = (float)(fade * (0.4 * sin(2764.6 * time) + 0.3 * sin(3483.2 * time)
                                     + 0.2 * sin(4142.2 * time)));
    }
    return samples;
}

/* Keeps the largest coefficients, as whole numbers of LEVELS for the largest of the block. */
static void compress(float *block, int kept)
{
    float sizes[BLOCK], largest = 0;
    for (int i = 0; i < BLOCK; ++i) {
        sizes[i] = fabsf(block[i]);
        largest = fmaxf(largest, sizes[i]);
    }
    char is_kept[BLOCK] = {0};
    for (int k = 0; k < kept; ++k) {
        int best = -1;
        for (int i = 0; i < BLOCK; ++i)
            if (!is_kept[i] && (best < 0 || sizes[i] > sizes[best]))
                best = i;
        is_kept[best] = 1;
    }
    for (int i = 0; i < BLOCK; ++i)
        block[i] = is_kept[i] && largest > 0 ? roundf(block[i] / largest * LEVELS) * largest / LEVELS : 0;
}

/* Transforms the blocks of `from` into those of `to`; returns the simulated nanoseconds. */
static cl_ulong transform(cl_command_queue queue, cl_kernel kernel, cl_mem from, cl_mem to, size_t blocks,
                          cl_uint inverse)
{
    cl_ulong begin = (cl_ulong)-1, end = 0;
    cl_event *events = malloc(blocks * sizeof *events);
    cl_int code;
    check(clSetKernelArg(kernel, 2, sizeof inverse, &inverse), "clSetKernelArg");
    for (size_t i = 0; i < blocks; ++i) {
        cl_buffer_region region = {i * BLOCK * sizeof(float), BLOCK * sizeof(float)};
        cl_mem input = clCreateSubBuffer(from, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        check(code, "clCreateSubBuffer");
        cl_mem output = clCreateSubBuffer(to, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        check(code, "clCreateSubBuffer");
        check(clSetKernelArg(kernel, 0, sizeof input, &input), "clSetKernelArg");
        check(clSetKernelArg(kernel, 1, sizeof output, &output), "clSetKernelArg");
        check(clEnqueueTask(queue, kernel, 0, NULL, &events[i]), "clEnqueueTask");
        clReleaseMemObject(input);
        clReleaseMemObject(output);
    }
    check(clFinish(queue), "clFinish");
    for (size_t i = 0; i < blocks; ++i) {
        cl_ulong first, last;
        clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, sizeof first, &first, NULL);
        clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof last, &last, NULL);
        begin = first < begin ? first : begin;
        end = last > end ? last : end;
        clReleaseEvent(events[i]);
    }
    free(events);
    return end - begin;
}

int main(int argc, char **argv)
{
    size_t count;
    float *samples = argc > 1 && argv[1][0] ? read_wav(argv[1], &count) : make_chord(&count);
    int kept = argc > 2 ? atoi(argv[2]) : 8;
    size_t blocks = count / BLOCK, bytes = blocks * BLOCK * sizeof(float);
    if (!samples || blocks == 0 || kept < 1 || kept > BLOCK) {
        fprintf(stderr, "at least %d samples and 1 to %d coefficients are needed\n", BLOCK, BLOCK);
        return EXIT_FAILURE;
    }

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL),
          "clGetDeviceIDs (a custom device: MOCL3_MACHINE=dsp)");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(
        context, device, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, "dct_64", &code);
    check(code, "clCreateProgramWithBuiltInKernels");
    cl_kernel kernel = clCreateKernel(program, "dct_64", &code);
    check(code, "clCreateKernel");
    cl_mem audio = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, samples, &code);
    check(code, "clCreateBuffer");
    cl_mem coefficients = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "clCreateBuffer");

    cl_ulong time = transform(queue, kernel, audio, coefficients, blocks, 0);
    float *mapped = clEnqueueMapBuffer(queue, coefficients, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                       NULL, NULL, &code);
    check(code, "clEnqueueMapBuffer");
    for (size_t i = 0; i < blocks; ++i)
        compress(mapped + i * BLOCK, kept);
    check(clEnqueueUnmapMemObject(queue, coefficients, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    check(clFinish(queue), "clFinish");
    time += transform(queue, kernel, coefficients, audio, blocks, 1);

    float *restored = malloc(bytes);
    check(clEnqueueReadBuffer(queue, audio, CL_TRUE, 0, bytes, restored, 0, NULL, NULL), "clEnqueueReadBuffer");
    double signal = 0, noise = 0;
    for (size_t i = 0; i < blocks * BLOCK; ++i) {
        signal += (double)samples[i] * samples[i];
        noise += pow((double)samples[i] - restored[i], 2);
    }
    /* Each block has its largest coefficient in single precision, and a place of 6 bits for each kept. */
    double ratio = 16.0 * BLOCK / (32 + kept * (12.0 + 6));
    printf("%zu blocks, %d of %d coefficients, compressed %.1f times\n", blocks, kept, BLOCK, ratio);
    printf("error %.5f of the signal (%.1f dB)\n", sqrt(noise / fmax(signal, 1e-30)),
           10 * log10(fmax(signal, 1e-30) / fmax(noise, 1e-30)));
    printf("accelerators worked for %.3f ms\n", (double)time * 1e-6);

    clReleaseMemObject(audio);
    clReleaseMemObject(coefficients);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(samples);
    free(restored);
    return EXIT_SUCCESS;
}
