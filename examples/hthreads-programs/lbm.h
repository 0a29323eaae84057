/* D2Q9: velocities, weights, and the relaxation of one node or of several in lanes. */
#ifndef LBM_H
#define LBM_H

static const int velocity_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int velocity_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[9] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

#define OMEGA 1.2

/* `number` is the type; `inverse` is 1 / its argument. */
#define COLLIDE(number, f, inverse)                                               \
    {                                                                             \
        number density, x, y, along, square;                                      \
        density = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8];   \
        x = (f[1] - f[3] + f[5] - f[6] - f[7] + f[8]) * inverse(density);         \
        y = (f[2] - f[4] + f[5] + f[6] - f[7] - f[8]) * inverse(density);         \
        square = 1.5 * (x * x + y * y);                                           \
        for (int q = 0; q < 9; q++) {                                             \
            along = 3.0 * (velocity_x[q] * x + velocity_y[q] * y);                \
            f[q] += OMEGA * (weight[q] * density * (1.0 + along + 0.5 * along * along - square) - f[q]); \
        }                                                                         \
    }

#endif
