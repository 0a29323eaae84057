/* Functions of doubles that are computed in the 64 bits of x87's numbers and rounded once more: their error is
 * hardly more than half a unit in the last place. Those of the C library for doubles have up to 10 units. */
#define _GNU_SOURCE
#include <math.h>

#define OF_ONE(name, function) \
    double mocl3_##name(double x) { return (double)function(x); }

OF_ONE(acosh, acoshl)
OF_ONE(asinh, asinhl)
OF_ONE(atanh, atanhl)
OF_ONE(cbrt, cbrtl)
OF_ONE(cosh, coshl)
OF_ONE(sinh, sinhl)
OF_ONE(tanh, tanhl)
OF_ONE(erf, erfl)
OF_ONE(erfc, erfcl)
OF_ONE(exp10, exp10l)
OF_ONE(expm1, expm1l)
OF_ONE(log10, log10l)
OF_ONE(log1p, log1pl)
OF_ONE(tgamma, tgammal)

/* lgamma sets a variable that all threads share. */
double mocl3_lgamma(double x)
{
    int sign;
    return (double)lgammal_r(x, &sign);
}

double mocl3_hypot(double x, double y) { return (double)hypotl(x, y); }

/* sin(π (x + shift / 2)), where `shift` is 0 or 1. The rest of x of a quarter of a turn is exact. */
static long double sine_of_turns(double x, int shift)
{
    double turns = fmod(x, 2), quarters = rint(2 * turns);
    long double angle = M_PIl * (turns - quarters / 2);
    int quarter = ((int)quarters + shift) & 3;
    long double size = quarter & 1 ? cosl(angle) : sinl(angle);
    return quarter & 2 ? -size : size;
}

double mocl3_sinpi(double x)
{
    if (!isfinite(x))
        return NAN;
    double sine = (double)sine_of_turns(x, 0);
    return sine == 0 ? copysign(0, x) : sine;
}

double mocl3_cospi(double x)
{
    if (!isfinite(x))
        return NAN;
    double cosine = (double)sine_of_turns(x, 1);
    return cosine == 0 ? 0 : cosine;
}
