/* First unit: the kernel. The steps of the integration are in another unit. */
#include "orbit.h"

#ifndef ATTRACTION
#error "ATTRACTION is a build option of this unit"
#endif

kernel void orbits(global system_state *states, global double *energies, double step, uint steps) {
    const size_t item = get_global_id(0);
    system_state mine = states[item];
    for (uint i = 0; i < steps; i++) {
        for (int planet = 0; planet < PLANETS; planet++)
            runge_kutta(&mine.phase[planet], step, ATTRACTION);
        mine.time += step;
    }
    states[item] = mine;
    energies[item] = energy_of(&mine, ATTRACTION);
}
