// Conversions of pixels of bytes, each on its own.

kernel void rgb_to_gray(global const uchar *rgb, global uchar *gray, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels) {
        uchar3 pixel = vload3(i, rgb);
        gray[i] = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128) >> 8;
    }
}

// Planes of brightness and, at half the width and height, of two differences of colour.
kernel void yuv_to_rgb(global const uchar *brightness, global const uchar *blue,
                       global const uchar *red, global uchar4 *rgba, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    int coarse = y / 2 * (width / 2) + x / 2;
    int c = 298 * (brightness[y * width + x] - 16);
    int d = blue[coarse] - 128, e = red[coarse] - 128;
    int4 colour = (int4)(c + 409 * e, c - 100 * d - 208 * e, c + 516 * d, 255 << 8);
    rgba[y * width + x] = convert_uchar4_sat((colour + 128) >> 8);
}

// Translucent pixels over others.
kernel void alpha_blend(global const uchar4 *above, global const uchar4 *below, global uchar4 *out)
{
    size_t i = get_global_id(0);
    ushort4 top = convert_ushort4(above[i]), bottom = convert_ushort4(below[i]);
    ushort alpha = top.w;
    ushort4 sum = top * alpha + bottom * (ushort)(255 - alpha) + (ushort)128;
    uchar4 pixel = convert_uchar4((sum + (sum >> (ushort)8)) >> (ushort)8);
    pixel.w = 255;
    out[i] = pixel;
}

// Old photographs: each colour is a sum of all three.
kernel void sepia(global const uchar *in, global uchar *out, int pixels)
{
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    int red = in[3 * i], green = in[3 * i + 1], blue = in[3 * i + 2];
    int to_red = (101 * red + 197 * green + 48 * blue) >> 8;
    int to_green = (89 * red + 176 * green + 43 * blue) >> 8;
    int to_blue = (70 * red + 137 * green + 34 * blue) >> 8;
    out[3 * i] = min(to_red, 255);
    out[3 * i + 1] = min(to_green, 255);
    out[3 * i + 2] = min(to_blue, 255);
}
