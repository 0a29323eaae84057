/* Third unit, linked from a library: the energy of a state. */
#include "orbit.h"

double energy_of(const system_state *state, double attraction) {
    double energy = 0;
    for (int planet = 0; planet < PLANETS; planet++) {
        const double4 phase = state->phase[planet];
        energy += dot(phase.hi, phase.hi) / 2 - attraction / length(phase.lo);
    }
    return energy;
}
