// Edges by Canny's method: smoothing, gradients with one of four directions, and pixels that are
// the steepest along theirs. Rows of bytes; pixels near the edges are left out.

constant int WEIGHTS[5][5] = {{2, 4, 5, 4, 2},
                              {4, 9, 12, 9, 4},
                              {5, 12, 15, 12, 5},
                              {4, 9, 12, 9, 4},
                              {2, 4, 5, 4, 2}};

kernel void smooth(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 2 || x >= width - 2 || y < 2 || y >= height - 2)
        return;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += WEIGHTS[i][j] * in[(y + i - 2) * width + x + j - 2];
    out[y * width + x] = sum / 159;
}

// Directions are 0 for horizontal, 1 for descending, 2 for vertical, 3 for ascending gradients.
kernel void gradient(global const uchar *in, global ushort *steepness, global uchar *directions,
                     int width, int height)
{
    local int tile[18][18];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    // The halo repeats the picture's edges.
    for (int i = get_local_id(1) * 16 + get_local_id(0); i < 18 * 18; i += 256) {
        int from_x = clamp((int)get_group_id(0) * 16 + i % 18 - 1, 0, width - 1);
        int from_y = clamp((int)get_group_id(1) * 16 + i / 18 - 1, 0, height - 1);
        tile[i / 18][i % 18] = in[from_y * width + from_x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int across = tile[ly - 1][lx + 1] + 2 * tile[ly][lx + 1] + tile[ly + 1][lx + 1] -
        tile[ly - 1][lx - 1] - 2 * tile[ly][lx - 1] - tile[ly + 1][lx - 1];
    int along = tile[ly + 1][lx - 1] + 2 * tile[ly + 1][lx] + tile[ly + 1][lx + 1] -
        tile[ly - 1][lx - 1] - 2 * tile[ly - 1][lx] - tile[ly - 1][lx + 1];
    int flat = abs(across), steep = abs(along);
    uchar direction;
    // The tangents of 22.5 and 67.5 degrees are near 5/12 and 12/5.
    if (12 * steep < 5 * flat)
        direction = 0;
    else if (5 * steep > 12 * flat)
        direction = 2;
    else if ((across < 0) == (along < 0))
        direction = 1;
    else
        direction = 3;
    steepness[y * width + x] = flat + steep;
    directions[y * width + x] = direction;
}

kernel void steepest(global const ushort *steepness, global const uchar *directions,
                     global uchar *edges, int width, int height, int threshold)
{
    int x = get_global_id(0), y = get_global_id(1);
    int point = y * width + x;
    edges[point] = 0;
    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    int step;
    switch (directions[point]) {
    case 0:
        step = 1;
        break;
    case 1:
        step = width + 1;
        break;
    case 2:
        step = width;
        break;
    default:
        step = width - 1;
    }
    int here = steepness[point];
    if (here > threshold && here >= steepness[point - step] && here > steepness[point + step])
        edges[point] = 255;
}
