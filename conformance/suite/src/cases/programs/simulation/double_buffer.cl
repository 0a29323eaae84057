/* An FIR filter on one channel of interleaved sound. Double buffering: while a group computes on one
 * tile in local memory, the next is copied into the other. Results are also copied asynchronously. */
event_t fetch(local float *tile, global const float *sound, uint number) {
    /* One channel of CHANNELS; TAPS - 1 samples overlap with the tile before. */
    return async_work_group_strided_copy(tile, sound + (size_t)number * TILE * CHANNELS,
                                         TILE + TAPS - 1, CHANNELS, 0);
}

kernel void filter(global const float *sound, constant float *taps, global float *out,
                   uint tiles, uint channel) {
    local float tile[2][TILE + TAPS - 1];
    local float result[2][TILE];
    const uint first = get_group_id(0) * tiles;
    event_t arriving[2];
    event_t leaving[2];
    sound += channel;
    arriving[0] = fetch(tile[0], sound, first);
    for (uint t = 0; t < tiles; ++t) {
        const uint now = t & 1;
        if (t + 1 < tiles)
            arriving[now ^ 1] = fetch(tile[now ^ 1], sound, first + t + 1);
        wait_group_events(1, &arriving[now]);
        if (t >= 2)
            wait_group_events(1, &leaving[now]);
        for (uint i = get_local_id(0); i < TILE; i += get_local_size(0)) {
            float sum = 0;
            for (uint k = 0; k < TAPS; k++)
                sum = mad(taps[k], tile[now][i + TAPS - 1 - k], sum);
            result[now][i] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        leaving[now] = async_work_group_copy(out + (size_t)(first + t) * TILE, result[now], TILE, 0);
    }
    wait_group_events(min(tiles, 2u), leaving);
}
