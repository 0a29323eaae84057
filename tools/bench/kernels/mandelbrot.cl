// The number of steps after which each point leaves the circle of radius 2.
kernel void mandelbrot(global int *steps, float left, float top, float pixel, int limit)
{
    int column = get_global_id(0), row = get_global_id(1);
    float cx = left + column * pixel, cy = top + row * pixel;
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        n++;
    }
    steps[row * get_global_size(0) + column] = n;
}
