#define TILE 16

// Each inner point becomes a weighted sum of itself and its four neighbours. Groups of
// TILE x TILE; a tile of local memory holds the group's points and the halo around them.
kernel void stencil_2d(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE + 2][TILE + 2];
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    int x = get_global_id(0), y = get_global_id(1);
    int left = max(x - 1, 0), right = min(x + 1, width - 1);
    int above = max(y - 1, 0), below = min(y + 1, height - 1);

    tile[ly][lx] = in[y * width + x];
    if (lx == 1)
        tile[ly][0] = in[y * width + left];
    if (lx == TILE)
        tile[ly][TILE + 1] = in[y * width + right];
    if (ly == 1)
        tile[0][lx] = in[above * width + x];
    if (ly == TILE)
        tile[TILE + 1][lx] = in[below * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx];
    out[y * width + x] = 0.5f * tile[ly][lx] + 0.125f * sum;
}

#define X 16
#define Y 4
#define Z 4

// The same in three dimensions with six neighbours. Groups of X x Y x Z.
kernel void stencil_3d(global const float *in, global float *out, int width, int height,
                       int depth)
{
    local float tile[Z + 2][Y + 2][X + 2];
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, lz = get_local_id(2) + 1;
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int plane = width * height;
    int point = z * plane + y * width + x;

    tile[lz][ly][lx] = in[point];
    if (lx == 1)
        tile[lz][ly][0] = in[x > 0 ? point - 1 : point];
    if (lx == X)
        tile[lz][ly][X + 1] = in[x < width - 1 ? point + 1 : point];
    if (ly == 1)
        tile[lz][0][lx] = in[y > 0 ? point - width : point];
    if (ly == Y)
        tile[lz][Y + 1][lx] = in[y < height - 1 ? point + width : point];
    if (lz == 1)
        tile[0][ly][lx] = in[z > 0 ? point - plane : point];
    if (lz == Z)
        tile[Z + 1][ly][lx] = in[z < depth - 1 ? point + plane : point];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = tile[lz][ly][lx - 1] + tile[lz][ly][lx + 1] + tile[lz][ly - 1][lx] +
        tile[lz][ly + 1][lx] + tile[lz - 1][ly][lx] + tile[lz + 1][ly][lx];
    out[point] = 0.25f * tile[lz][ly][lx] + 0.125f * sum;
}
