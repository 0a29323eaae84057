/* Edges of an image of bytes, read as integers without a sampler. Pixels on the border are left
 * as they are. */
int pixel(read_only image2d_t image, int x, int y) {
    return convert_int(read_imageui(image, (int2)(x, y)).x);
}

kernel void sobel(read_only image2d_t from, write_only image2d_t edges, write_only image2d_t angles) {
    const int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    const int nw = pixel(from, x - 1, y - 1), n = pixel(from, x, y - 1), ne = pixel(from, x + 1, y - 1);
    const int w = pixel(from, x - 1, y), e = pixel(from, x + 1, y);
    const int sw = pixel(from, x - 1, y + 1), s = pixel(from, x, y + 1), se = pixel(from, x + 1, y + 1);
    const int gx = ne + 2 * e + se - nw - 2 * w - sw;
    const int gy = sw + 2 * s + se - nw - 2 * n - ne;
    write_imageui(edges, (int2)(x, y), (uint4)(convert_uchar_sat(abs(gx) + abs(gy)), 0, 0, 1));
    write_imagei(angles, (int2)(x, y), (int4)(gx, gy, 0, 1));
}
