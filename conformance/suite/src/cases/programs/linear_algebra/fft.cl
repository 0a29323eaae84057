typedef float2 complex;

complex multiply(complex a, complex b) {
    return (complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* a times -i */
complex turned(complex a) { return (complex)(a.y, -a.x); }

void transform_of_four(complex *v) {
    complex a = v[0] + v[2], b = v[0] - v[2];
    complex c = v[1] + v[3], d = turned(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

/* Each work-item stores four values and loads four others. */
void exchange(complex *v, local complex *data, uint put, uint put_stride, uint take,
              uint take_stride) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 4; r++)
        data[put + r * put_stride] = v[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 4; r++)
        v[r] = data[take + r * take_stride];
}

/* Transforms a line of N complex numbers per work-group of N / 4 work-items. */
kernel void fft(global const complex *in, global complex *out) {
    local complex data[N];
    const uint item = get_local_id(0);
    const uint quarter = N / 4;
    in += get_group_id(0) * N;
    out += get_group_id(0) * N;

    complex v[4];
    for (uint r = 0; r < 4; r++)
        v[r] = in[item + r * quarter];
    for (uint done = 1; done < N; done *= 4) {
        const uint position = item % done;
        const float angle = -2 * M_PI_F * (float)position / (float)(done * 4);
        for (uint r = 1; r < 4; r++) {
            float cosine;
            const float sine = sincos(angle * r, &cosine);
            v[r] = multiply(v[r], (complex)(cosine, sine));
        }
        transform_of_four(v);
        exchange(v, data, (item - position) * 4 + position, done, item, quarter);
    }
    for (uint r = 0; r < 4; r++)
        out[item + r * quarter] = v[r];
}
