/* A gas of particles on a square lattice (Hardy, de Pazzis, Pomeau). The low four bits of a cell are
 * particles that go east, north, west and south; two that meet head on leave at right angles. */
enum { EAST = 1, NORTH = 2, WEST = 4, SOUTH = 8 };

uchar collide(uchar cell) {
    switch (cell) {
    case EAST | WEST:
        return NORTH | SOUTH;
    case NORTH | SOUTH:
        return EAST | WEST;
    default:
        return cell;
    }
}

/* A strip of rows with one more row above and one below, which are the neighbours'. */
kernel void advance(global const uchar *restrict from, global uchar *restrict to) {
    const size_t x = get_global_id(0), width = get_global_size(0);
    const size_t y = get_global_id(1) + 1;
    const uchar moved = (from[y * width + (x + width - 1) % width] & EAST) |
                        (from[(y + 1) * width + x] & NORTH) |
                        (from[y * width + (x + 1) % width] & WEST) |
                        (from[(y - 1) * width + x] & SOUTH);
    to[y * width + x] = collide(moved);
}
