/* Runs kernels with the bodies that are given, one after another, and prints what they write to `out`.
   The images have pixels of four ints, or of floats: 8 x 4 pixels, rows of 8 or 16, 3 or 4 layers,
   4 x 4 x 4. */
#include "checked.h"

static int argument;

static void set(size_t size, const void *value)
{
    OK(clSetKernelArg(kernel, argument++, size, value));
}

static void image(cl_mem_flags flags, cl_channel_type type, const cl_image_desc *description)
{
    static int pixels[4 * 256];
    const cl_image_format format = {CL_RGBA, type};
    cl_int code;
    for (int i = 0; i < 4 * 256; ++i)
        pixels[i] = i;
    if (!description->buffer)
        flags |= CL_MEM_COPY_HOST_PTR;
    void *from = description->buffer ? NULL : pixels;
    cl_mem made = clCreateImage(context, flags, &format, description, from, &code);
    OK(code);
    set(sizeof made, &made);
}

static void sampler(cl_bool is_normalised, cl_addressing_mode addressing, cl_filter_mode filter)
{
    cl_int code;
    cl_sampler made = clCreateSampler(context, is_normalised, addressing, filter, &code);
    OK(code);
    set(sizeof made, &made);
}

static void run(char *body)
{
    cl_int code;
    char source[4096];
    snprintf(source, sizeof source,
             "kernel void k(global int *out, read_only image2d_t in, write_only image2d_t to,\n"
             "    read_only image2d_t smooth, read_only image1d_buffer_t row, read_only image1d_array_t lines,\n"
             "    read_only image2d_array_t frames, write_only image2d_array_t to_frames, read_only image3d_t cube,\n"
             "    sampler_t none, sampler_t whole, sampler_t clamped, sampler_t linear) {\n"
             "  int i = get_global_id(0), x = i & 7, y = i >> 3;\n"
             "%s\n"
             "}\n",
             body);
    build(source, "k");
    cl_mem out = numbers(CL_MEM_READ_WRITE);
    cl_mem bytes = clCreateBuffer(context, CL_MEM_READ_WRITE, 16 * 16, NULL, &code);
    OK(code);
    int zero = 0;
    OK(clEnqueueFillBuffer(queue, bytes, &zero, sizeof zero, 0, 16 * 16, 0, NULL, NULL));
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    const cl_image_desc row = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .buffer = bytes};
    const cl_image_desc lines = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 8, .image_array_size = 4};
    cl_image_desc frames = plane;
    frames.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    frames.image_array_size = 3;
    const cl_image_desc cube = {
        .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4};
    argument = 0;
    set(sizeof out, &out);
    image(CL_MEM_READ_ONLY, CL_SIGNED_INT32, &plane);
    image(CL_MEM_WRITE_ONLY, CL_SIGNED_INT32, &plane);
    image(CL_MEM_READ_ONLY, CL_FLOAT, &plane);
    image(CL_MEM_READ_ONLY, CL_SIGNED_INT32, &row);
    image(CL_MEM_READ_ONLY, CL_SIGNED_INT32, &lines);
    image(CL_MEM_READ_ONLY, CL_SIGNED_INT32, &frames);
    image(CL_MEM_WRITE_ONLY, CL_SIGNED_INT32, &frames);
    image(CL_MEM_READ_ONLY, CL_SIGNED_INT32, &cube);
    sampler(CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST);
    sampler(CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST);
    sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
    sampler(CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_LINEAR);
    launch_and_print(out);
}
