// A lattice Boltzmann step in two dimensions with nine directions (D2Q9): populations are
// pulled from the neighbours and relaxed with one rate (Bhatnagar, Gross and Krook). The
// lattice is periodic; each direction has an array of its own.

constant int DX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int DY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float WEIGHT[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                            1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

kernel void lbm(global const float *from, global float *to, int width, int height, float rate)
{
    int x = get_global_id(0), y = get_global_id(1);
    int cells = width * height;
    float f[9];
    float density = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int i = 0; i < 9; i++) {
        int source_x = (x - DX[i] + width) % width;
        int source_y = (y - DY[i] + height) % height;
        f[i] = from[i * cells + source_y * width + source_x];
        density += f[i];
        ux += DX[i] * f[i];
        uy += DY[i] * f[i];
    }
    ux /= density;
    uy /= density;
    float square = 1.5f * (ux * ux + uy * uy);
    for (int i = 0; i < 9; i++) {
        float along = 3.0f * (DX[i] * ux + DY[i] * uy);
        float rest = WEIGHT[i] * density * (1.0f + along + 0.5f * along * along - square);
        to[i * cells + y * width + x] = f[i] + rate * (rest - f[i]);
    }
}
