// Sums of differences of blocks of 4 x 4 pixels to those of another picture at WINDOW x WINDOW
// offsets. The other picture is larger by WINDOW in both directions. Work-items of a group take
// consecutive offsets.
#define WINDOW 32
kernel void block_differences(global const uchar *picture, global const uchar *other,
                              global ushort *sums, int width)
{
    int offset = get_global_id(0), block = get_global_id(1);
    int blocks = width / 4;
    int x = block % blocks * 4, y = block / blocks * 4;
    int other_x = x + offset % WINDOW, other_y = y + offset / WINDOW;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int a = picture[(y + i) * width + x + j];
            int b = other[(other_y + i) * (width + WINDOW) + other_x + j];
            sum += abs_diff(a, b);
        }
    sums[block * WINDOW * WINDOW + offset] = sum;
}

// Sums of all pixels to the left of each and above: along the rows, then along the columns.
kernel void sum_rows(global const uchar *in, global uint *out, int width)
{
    int y = get_global_id(0);
    uint sum = 0;
    for (int x = 0; x < width; x++) {
        sum += in[y * width + x];
        out[y * width + x] = sum;
    }
}

kernel void sum_columns(global uint *sums, int width, int height)
{
    int x = get_global_id(0);
    for (int y = 1; y < height; y++)
        sums[y * width + x] += sums[(y - 1) * width + x];
}
