// Marsaglia's xorshift with a period of 2^128 - 1.
uint next(uint4 *state)
{
    uint t = state->x ^ (state->x << 11);
    state->x = state->y;
    state->y = state->z;
    state->z = state->w;
    state->w = state->w ^ (state->w >> 19) ^ t ^ (t >> 8);
    return state->w;
}

// A uniform number in (0, 1].
float uniform_number(uint4 *state)
{
    return ((next(state) >> 8) + 1) * 0x1p-24f;
}

// The sum of a call option's payoffs at the ends of `pairs` x 2 random paths of a price.
kernel void monte_carlo(global const uint4 *states, global float *sums, float price,
                        float strike, float drift, float deviation, int pairs)
{
    int i = get_global_id(0);
    uint4 state = states[i];
    float sum = 0.0f;
    for (int pair = 0; pair < pairs; pair++) {
        // Box-Muller transform: two normal numbers from two uniform ones.
        float radius = sqrt(-2.0f * log(uniform_number(&state)));
        float angle = 6.2831853f * uniform_number(&state);
        float along = radius * cos(angle), across = radius * sin(angle);
        sum += fmax(price * exp(drift + deviation * along) - strike, 0.0f);
        sum += fmax(price * exp(drift + deviation * across) - strike, 0.0f);
    }
    sums[i] = sum;
}
