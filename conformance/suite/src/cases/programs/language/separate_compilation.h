#ifndef ORBIT_H
#define ORBIT_H
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PLANETS 3

typedef struct {
    double4 phase[PLANETS]; /* place and velocity */
    double time;
} system_state;

double4 derivative(double4 phase, double attraction);
void runge_kutta(double4 *phase, double step, double attraction);
double energy_of(const system_state *state, double attraction);

#endif
