#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Without contraction, additions and multiplications of doubles are the same everywhere. */
#pragma OPENCL FP_CONTRACT OFF

/* Four points of a row per work-item; each stops counting when it has left the circle. */
kernel void mandelbrot(global ushort *counts, double left, double top, double step, uint width) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    const double4 re = left + step * (4 * convert_double(x) + (double4)(0, 1, 2, 3));
    const double4 im = top + step * y;
    double4 a = 0, b = 0;
    long4 inside = -1, count = 0;
    for (int i = 0; i < LIMIT && any(inside); i++) {
        const double4 aa = a * a, bb = b * b, ab = a * b;
        inside &= aa + bb <= 4.0;
        count -= inside;
        a = aa - bb + re;
        b = ab + ab + im;
    }
    const ushort4 result = convert_ushort4(count);
    /* Width is no multiple of four. */
    if (4 * x + 3 < width) {
        vstore4(result, 0, counts + y * width + 4 * x);
    } else {
        switch (width - 4 * x) {
        case 3:
            counts[y * width + 4 * x + 2] = result.z;
            /* fall through */
        case 2:
            counts[y * width + 4 * x + 1] = result.y;
            /* fall through */
        case 1:
            counts[y * width + 4 * x] = result.x;
            /* fall through */
        default:
            break;
        }
    }
}
