/* Second unit: a classical Runge-Kutta step. */
#include "orbit.h"

constant double halves[4] = {0, 0.5, 0.5, 1};
constant double weights[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};

static double cube(double x) { return x * x * x; }

double4 derivative(double4 phase, double attraction) {
    const double2 place = phase.lo;
    return (double4)(phase.hi, -attraction / cube(sqrt(dot(place, place))) * place);
}

void runge_kutta(double4 *phase, double step, double attraction) {
    double4 slope = 0, sum = 0;
    for (int stage = 0; stage < 4; stage++) {
        slope = derivative(*phase + halves[stage] * step * slope, attraction);
        sum += weights[stage] * slope;
    }
    *phase += step * sum;
}
