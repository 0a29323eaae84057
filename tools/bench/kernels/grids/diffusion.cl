// Anisotropic diffusion that reduces speckles. Arrays hold the rows and columns of neighbours;
// those of points at the edges are the points themselves.

// Differences to the neighbours, and how much of them flows.
kernel void coefficients(global const float *image, global float *north_to, global float *south_to,
                         global float *west_to, global float *east_to, global float *flow,
                         global const int *above, global const int *below, global const int *left,
                         global const int *right, int columns, int points, float speckle)
{
    int point = get_global_id(0);
    if (point >= points)
        return;
    int row = point / columns, column = point % columns;
    float value = image[point];
    float north = image[above[row] * columns + column] - value;
    float south = image[below[row] * columns + column] - value;
    float west = image[row * columns + left[column]] - value;
    float east = image[row * columns + right[column]] - value;
    float gradient = (north * north + south * south + west * west + east * east) / (value * value);
    float laplacian = (north + south + west + east) / value;
    float numerator = 0.5f * gradient - 1.0f / 16.0f * laplacian * laplacian;
    float denominator = 1.0f + 0.25f * laplacian;
    float variation = numerator / (denominator * denominator);
    float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    float coefficient = 1.0f / (1.0f + excess);
    if (coefficient < 0.0f)
        coefficient = 0.0f;
    else if (coefficient > 1.0f)
        coefficient = 1.0f;
    north_to[point] = north;
    south_to[point] = south;
    west_to[point] = west;
    east_to[point] = east;
    flow[point] = coefficient;
}

kernel void diffuse(global float *image, global const float *north, global const float *south,
                    global const float *west, global const float *east, global const float *flow,
                    global const int *below, global const int *right, int columns, int points,
                    float rate)
{
    int point = get_global_id(0);
    if (point >= points)
        return;
    int row = point / columns, column = point % columns;
    float here = flow[point];
    float divergence = here * north[point] + flow[below[row] * columns + column] * south[point] +
        here * west[point] + flow[row * columns + right[column]] * east[point];
    image[point] += 0.25f * rate * divergence;
}
