/* D2Q9: rest, then east, north, west, south, then the diagonals. */
constant int2 directions[9] = {(int2)(0, 0), (int2)(1, 0),  (int2)(0, 1),
                               (int2)(-1, 0), (int2)(0, -1), (int2)(1, 1),
                               (int2)(-1, 1), (int2)(-1, -1), (int2)(1, -1)};
constant float weights[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                             1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
constant uchar opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

typedef struct {
    int width;
    int height;
    float omega;
    float lid;
} flow;

float equilibrium(int q, float density, float2 velocity) {
    const float along = dot(convert_float2(directions[q]), velocity);
    return weights[q] * density *
           (1 + 3 * along + 4.5f * along * along - 1.5f * dot(velocity, velocity));
}

kernel void at_rest(global float *cells, flow flow) {
    const int x = get_global_id(0), y = get_global_id(1);
    for (int q = 0; q < 9; ++q)
        cells[(q * flow.height + y) * flow.width + x] = equilibrium(q, 1, (float2)(0));
}

/* Pulls populations from the neighbours, then relaxes. Walls reflect; the upper one moves. */
kernel void advance(global const float *from, global float *to, flow flow,
                 global float *speed) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(flow.width, flow.height);
    float population[9];
    float density = 0;
    float2 momentum = 0;
    for (int q = 0; q < 9; ++q) {
        const int2 source = here - directions[q];
        if (any(source < 0) || any(source >= size)) {
            population[q] = from[(opposite[q] * size.y + here.y) * size.x + here.x];
            if (source.y >= size.y)
                population[q] += 6 * weights[q] * directions[q].x * flow.lid;
        } else {
            population[q] = from[(q * size.y + source.y) * size.x + source.x];
        }
        density += population[q];
        momentum += population[q] * convert_float2(directions[q]);
    }
    const float2 velocity = momentum / density;
    for (int q = 0; q < 9; ++q)
        to[(q * size.y + here.y) * size.x + here.x] =
            mix(population[q], equilibrium(q, density, velocity), flow.omega);
    speed[here.y * size.x + here.x] = length(velocity);
}
