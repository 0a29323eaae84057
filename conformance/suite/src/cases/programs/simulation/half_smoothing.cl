#pragma OPENCL EXTENSION cl_khr_fp16 : enable
/* Without contraction, each operation of halves is rounded. */
#pragma OPENCL FP_CONTRACT OFF

/* Exponential smoothing of many signals, four at a time. */
kernel void smooth(global const half4 *signals, global half4 *smoothed, uint length, half weight) {
    const size_t item = get_global_id(0), items = get_global_size(0);
    half4 now = signals[item];
    smoothed[item] = now;
    for (uint i = 1; i < length; i++) {
        const half4 next = signals[i * items + item];
        now = next * weight + now * ((half)1 - weight);
        smoothed[i * items + item] = now;
    }
}
