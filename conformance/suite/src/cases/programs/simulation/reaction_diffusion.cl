/* Gray and Scott's reaction in three dimensions, periodic; tiles of 8 x 4 x 2 cells with borders. */
#define TX 8
#define TY 4
#define TZ 2

typedef struct {
    uint3 size;
    float2 diffusion;
    float feed, kill, time_step;
} reaction;

kernel __attribute__((reqd_work_group_size(TX, TY, TZ)))
void react(global const float2 *from, global float2 *to, constant reaction *r) {
    local float2 tile[TZ + 2][TY + 2][TX + 2];
    const uint3 size = r->size;
    const uint3 corner = (uint3)(get_group_id(0) * TX, get_group_id(1) * TY, get_group_id(2) * TZ);
    /* The border is one cell to each side; its corners are loaded and not used. */
    const uint item = get_local_id(0) + TX * (get_local_id(1) + TY * get_local_id(2));
    const uint cells = (TX + 2) * (TY + 2) * (TZ + 2);
    for (uint i = item; i < cells; i += TX * TY * TZ) {
        const uint3 l = (uint3)(i % (TX + 2), i / (TX + 2) % (TY + 2), i / (TX + 2) / (TY + 2));
        const uint3 g = (corner + l + size - 1) % size;
        tile[l.z][l.y][l.x] = from[(g.z * size.y + g.y) * size.x + g.x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint x = get_local_id(0) + 1, y = get_local_id(1) + 1, z = get_local_id(2) + 1;
    const float2 here = tile[z][y][x];
    const float2 around = tile[z][y][x - 1] + tile[z][y][x + 1] + tile[z][y - 1][x] +
                          tile[z][y + 1][x] + tile[z - 1][y][x] + tile[z + 1][y][x];
    const float reacts = here.x * here.y * here.y;
    float2 change = r->diffusion * (around - 6 * here);
    change.x += r->feed * (1 - here.x) - reacts;
    change.y += reacts - (r->feed + r->kill) * here.y;
    const size_t place =
        (get_global_id(2) * size.y + get_global_id(1)) * size.x + get_global_id(0);
    to[place] = here + r->time_step * change;
}
