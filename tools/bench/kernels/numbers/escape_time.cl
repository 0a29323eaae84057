// How many steps each point of a Julia set takes to leave the circle of radius 2.
kernel void escape_time(global int *steps, float cx, float cy, float start, float pixel, int limit)
{
    int column = get_global_id(0), row = get_global_id(1);
    float x = start + column * pixel, y = start + row * pixel;
    int n;
    for (n = 0; n < limit; n++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
    }
    steps[row * get_global_size(0) + column] = n;
}
