/* European options; REAL is float or double, both from one source. */
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#define CONSTANT(x) x
#else
typedef float real;
typedef float4 real4;
#define CONSTANT(x) x##f
#endif

real4 cumulative_normal(real4 x) {
    return CONSTANT(0.5) * erfc(-CONSTANT(0.70710678118654752440) * x);
}

kernel void black_scholes(global const real *restrict spots, global const real *restrict strikes,
                          global const real *restrict years, real rate, real volatility,
                          global real *restrict calls, global real *restrict puts) {
    const size_t i = get_global_id(0);
    const real4 spot = vload4(i, spots), strike = vload4(i, strikes), time = vload4(i, years);
    const real4 spread = volatility * sqrt(time);
    const real4 d1 =
        (log(spot / strike) + (rate + volatility * volatility / 2) * time) / spread;
    const real4 d2 = d1 - spread;
    const real4 discounted = strike * exp(-rate * time);
    const real4 n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
    vstore4(spot * n1 - discounted * n2, i, calls);
    vstore4(discounted * (1 - n2) - spot * (1 - n1), i, puts);
}
