// Several steps of a grid in local memory: each step is valid on one point less at each side, and
// groups overlap by as many points.

// Temperatures of a chip. Groups of SIDE x SIDE.
#define SIDE 16
kernel void hotspot(global const float *power, global const float *from, global float *to,
                    int columns, int rows, int steps, float step, float rx, float ry, float rz,
                    float ambient)
{
    local float now[SIDE][SIDE], next[SIDE][SIDE], heat[SIDE][SIDE];
    int lx = get_local_id(0), ly = get_local_id(1);
    int inner = SIDE - 2 * steps;
    int x = inner * (int)get_group_id(0) - steps + lx;
    int y = inner * (int)get_group_id(1) - steps + ly;
    bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
    int point = y * columns + x;
    if (inside) {
        now[ly][lx] = from[point];
        heat[ly][lx] = power[point];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Points at the grid's edges are their own neighbours.
    int north = y > 0 ? ly - 1 : ly, south = y < rows - 1 ? ly + 1 : ly;
    int west = x > 0 ? lx - 1 : lx, east = x < columns - 1 ? lx + 1 : lx;
    bool valid = false;
    for (int i = 0; i < steps; i++) {
        valid = inside && lx > i && lx < SIDE - 1 - i && ly > i && ly < SIDE - 1 - i;
        if (valid) {
            float t = now[ly][lx];
            next[ly][lx] = t + step * (heat[ly][lx] +
                (now[south][lx] + now[north][lx] - 2.0f * t) * ry +
                (now[ly][east] + now[ly][west] - 2.0f * t) * rx + (ambient - t) * rz);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == steps - 1)
            break;
        if (valid)
            now[ly][lx] = next[ly][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (valid)
        to[point] = next[ly][lx];
}

// The costs of the cheapest paths through rows, from any of the three places above. Groups of
// WIDTH.
#define WIDTH 256
kernel void pathfinder(global const int *costs, global const int *from, global int *to, int columns,
                       int first, int steps)
{
    local int now[WIDTH], next[WIDTH];
    int lx = get_local_id(0);
    int x = (WIDTH - 2 * steps) * (int)get_group_id(0) - steps + lx;
    bool inside = x >= 0 && x < columns;
    if (inside)
        now[lx] = from[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int west = x > 0 ? lx - 1 : lx, east = x < columns - 1 ? lx + 1 : lx;
    bool valid = false;
    for (int i = 0; i < steps; i++) {
        valid = inside && lx > i && lx < WIDTH - 1 - i;
        if (valid) {
            int least = min(now[lx], min(now[west], now[east]));
            next[lx] = least + costs[(first + i) * columns + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (valid)
            now[lx] = next[lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (valid)
        to[x] = now[lx];
}
