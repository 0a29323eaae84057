#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* PCG-XSH-RR: 64 bits of state, 32 of output. Each work-item has a stream of its own. */
typedef struct {
    ulong state;
    ulong increment;
} generator;

uint next(generator *g) {
    const ulong old = g->state;
    g->state = old * 6364136223846793005UL + g->increment;
    const uint shifted = (uint)(((old >> 18) ^ old) >> 27);
    return rotate(shifted, (uint)(-(int)(old >> 59)) & 31u);
}

generator start(ulong seed, ulong stream) {
    generator g = {0, stream << 1 | 1};
    next(&g);
    g.state += seed;
    next(&g);
    return g;
}

/* How many of DRAWS points of the square are in the quarter circle. */
kernel void pi(ulong seed, global ulong *inside) {
    generator g = start(seed, get_global_id(0));
    ulong count = 0;
    for (int i = 0; i < DRAWS; i++) {
        const ulong x = next(&g) >> 1, y = next(&g) >> 1;
        count += x * x + y * y < 1UL << 62;
    }
    inside[get_global_id(0)] = count;
}

typedef struct {
    double spot, strike, rate, volatility, years;
} option;

/* Pay-off of an Asian call along one path of STEPS days, by Box and Muller. */
kernel void asian_call(ulong seed, option option, global double *payoffs) {
    generator g = start(seed, get_global_id(0));
    const double step = option.years / STEPS;
    const double drift = (option.rate - 0.5 * option.volatility * option.volatility) * step;
    const double spread = option.volatility * sqrt(step);
    double2 logarithm = 0, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double u = (next(&g) + 0.5) * 0x1p-32, v = next(&g) * 0x1p-32;
        double cosine;
        const double radius = sqrt(-2 * log(u));
        const double normal = radius * sincos(2 * M_PI * v, &cosine);
        /* The second path takes the other number. */
        logarithm += drift + spread * (double2)(normal, radius * cosine);
        sum += exp(logarithm);
    }
    const double2 payoff = fmax(option.spot * sum / STEPS - option.strike, 0.0);
    vstore2(payoff * exp(-option.rate * option.years), get_global_id(0), payoffs);
}
