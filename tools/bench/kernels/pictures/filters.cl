// Neighbours of each pixel, row after row; pixels at the edges are left out or repeated.

#define ORDER(a, b)            \
    {                          \
        uchar low = min(a, b); \
        b = max(a, b);         \
        a = low;               \
    }

// The median of 3 x 3 bytes by a network of comparisons: the rows are sorted, then the largest of
// the least, the median of the middle and the least of the largest ones are.
kernel void median(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    uchar v[9];
    for (int i = 0; i < 9; i++)
        v[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
    for (int row = 0; row < 9; row += 3) {
        ORDER(v[row], v[row + 1]);
        ORDER(v[row + 1], v[row + 2]);
        ORDER(v[row], v[row + 1]);
    }
    uchar least = max(max(v[0], v[3]), v[6]);
    uchar largest = min(min(v[2], v[5]), v[8]);
    ORDER(v[1], v[4]);
    uchar middle = max(v[1], min(v[4], v[7]));
    ORDER(least, middle);
    out[y * width + x] = max(least, min(middle, largest));
}

// How steep the brightness is.
kernel void sobel(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    global const uchar *above = in + (y - 1) * width + x;
    global const uchar *here = above + width, *below = here + width;
    int across = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
    int along = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
    out[y * width + x] = convert_uchar_sat(abs(across) + abs(along));
}

// Means of the pixels nearby that are similar.
#define RADIUS 3
kernel void bilateral(global const float *in, global float *out, int width, int height,
                      float nearness, float similarity)
{
    int x = get_global_id(0), y = get_global_id(1);
    float centre = in[y * width + x];
    float sum = 0.0f, weights = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int from_x = clamp(x + dx, 0, width - 1), from_y = clamp(y + dy, 0, height - 1);
            float value = in[from_y * width + from_x];
            float off = value - centre;
            float weight = exp(-nearness * (dx * dx + dy * dy) - similarity * off * off);
            sum += weight * value;
            weights += weight;
        }
    out[y * width + x] = sum / weights;
}
