#!/usr/bin/env python3
"""Prints the polynomials of compiler-resources/builtins/ with their errors.

    python3 coefficients.py [NAME]        (needs mpmath)

Each is the best approximation in the relative or absolute sense on its interval (Remez's
exchange). Coefficients are rounded to the type from the first on, and what follows is
fitted again around each, so that little is lost by it.
"""

import sys
from mpmath import mp, mpf, matrix, lu_solve

mp.prec = 240


def rounded(value, bits):
    if value == 0:
        return value
    mantissa, exponent = mp.frexp(value)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


def exchange(target, weight, powers, low, high):
    """Coefficients of the best approximation to `target`, and its weighted error."""
    count = len(powers)
    points = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / count)
        for i in range(count + 1)
    ]
    steps = 24 * (count + 1)
    grid = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / steps)
        for i in range(steps + 1)
    ]
    values = [(x, target(x), weight(x)) for x in grid]
    for _ in range(12):
        system = matrix(count + 1, count + 1)
        right = matrix(count + 1, 1)
        for row, x in enumerate(points):
            for column, power in enumerate(powers):
                system[row, column] = x**power * weight(x)
            system[row, count] = (-1) ** row
            right[row] = target(x) * weight(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(count)]
        errors = [
            (sum(c * x**p for c, p in zip(coefficients, powers)) - t) * w
            for x, t, w in values
        ]
        worst = max(abs(error) for error in errors)
        # The extremum of each run of one sign, as many as there are unknowns.
        extrema = []
        for x, error in zip(grid, errors):
            if extrema and (error > 0) == (extrema[-1][1] > 0):
                if abs(error) > abs(extrema[-1][1]):
                    extrema[-1] = (x, error)
            else:
                extrema.append((x, error))
        while len(extrema) > count + 1:
            first, last = abs(extrema[0][1]), abs(extrema[-1][1])
            extrema.pop(0 if first < last else -1)
        if len(extrema) < count + 1:
            break
        points = [x for x, _ in extrema]
        if worst < abs(solution[count]) * mpf("1.001"):
            break
    return coefficients, worst


def fit(target, powers, low, high, bits, weight=None, exact=()):
    """As `exchange`, in coefficients of `bits` bits; `exact` are the first, given. Errors
    are relative without a weight."""
    low, high = mpf(low), mpf(high)
    known = [mpf(c) for c in exact]
    free = list(powers[len(known):])
    scale = weight or (lambda x: 1 / target(x))
    plain = None
    while free:
        fixed = list(zip(known, powers))
        rest = lambda x: target(x) - sum(c * x**p for c, p in fixed)
        coefficients, worst = exchange(rest, scale, free, low, high)
        if plain is None:
            plain = known + [rounded(c, bits) for c in coefficients]
        known.append(rounded(coefficients[0], bits))
        free.pop(0)
    grid = [low + (high - low) * i / 500 for i in range(501)]

    def off(coefficients):
        return max(
            abs((sum(c * x**p for c, p in zip(coefficients, powers)) - target(x)) * scale(x))
            for x in grid
        )

    return min((known, off(known)), (plain, off(plain)), key=lambda pair: pair[1])


def of_root(function, at_zero=1):
    """function(sqrt(z)) / sqrt(z): an odd function's series in z = x^2."""
    return lambda z: function(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(at_zero)


def even(function):
    """An even function's series in z = x^2."""
    return lambda z: function(mp.sqrt(z))


def beyond_square(f):
    """(log(1 + f) - f + f^2 / 2) / f^3."""
    return (mp.log1p(f) - f + f * f / 2) / f**3 if abs(f) > 1e-12 else mpf(1) / 3


def logarithm_by(base):
    """log(1 + f) / f to that base."""
    return lambda f: (mp.log1p(f) / f if abs(f) > 1e-12 else 1) / mp.log(base)


def scaled_tail(t):
    """e^(x^2) erfc(x) / t, where t = 1 / (1 + x / 2)."""
    x = 2 * (1 / t - 1)
    return mp.exp(x * x) * mp.erfc(x) / t


def of_x(x):
    return 1 / (1 + mpf(x) / 2)


ROOT = mp.sqrt(2)
HALF_LN2 = mp.log(2) / 2 * mpf("1.005")
QUARTER = (mp.pi / 4 * mpf("1.001")) ** 2
NEAR_QUARTER = (mp.pi / 4 * mpf("1.0001")) ** 2
NEAR_S = ((ROOT - 1) / (ROOT + 1) * mpf("1.0001")) ** 2
LARGEST_S = ((ROOT - 1) / (ROOT + 1) * mpf("1.001")) ** 2


def series(target, degree, low, high, bits=24, **rest):
    powers = list(range(degree + 1))
    return dict(target=target, powers=powers, low=low, high=high, bits=bits, **rest)


# What is fitted: name -> arguments of `fit`.
FITS = {
    # A little less than sin where it is 1, so that roundings do not exceed that.
    "sine_of_rest": series(
        lambda z: of_root(mp.sin)(z) * (1 - mpf(2) ** -25 * (z / mpf("2.4674")) ** 4),
        4, 0, (mp.pi / 2) ** 2 * mpf("1.001"), exact=(1,)),
    "sine_of_quarter": series(of_root(mp.sin), 3, 0, QUARTER, exact=(1,)),
    "cosine_of_quarter": series(even(mp.cos), 4, 0, QUARTER, exact=(1, mpf("-0.5"))),
    "tangent_of_rest": series(of_root(mp.tan), 6, 0, QUARTER, exact=(1,)),
    "tangent_to_angle": series(of_root(mp.atan), 8, 0, 1, exact=(1,)),
    "sine_to_angle": series(of_root(mp.asin), 5, 0, mpf("0.25"), exact=(1,)),
    "exp, float": series(mp.exp, 6, -HALF_LN2, HALF_LN2, exact=(1, 1, mpf("0.5"))),
    "exp, double": series(mp.exp, 12, -HALF_LN2, HALF_LN2, 53, exact=(1, 1, mpf("0.5"))),
    "odd_part, float": series(of_root(mp.sinh), 3, 0, HALF_LN2**2, exact=(1,)),
    "odd_part, double": series(of_root(mp.sinh), 5, 0, HALF_LN2**2, 53, exact=(1,)),
    "even_part, float": series(even(mp.cosh), 3, 0, HALF_LN2**2, exact=(1, mpf("0.5"))),
    "even_part, double": series(even(mp.cosh), 6, 0, HALF_LN2**2, 53, exact=(1, mpf("0.5"))),
    # Beyond the square; the error is that of log(1 + f).
    "log, float": series(
        beyond_square, 7, mpf("-0.2929"), mpf("0.41423"),
        weight=lambda f: f**3 / mp.log1p(f) if abs(f) > 1e-12 else mpf(0)),
    "positive_power, logarithm, float": series(
        of_root(lambda s: 2 * mp.atanh(s) / mp.log(2), 2 / mp.log(2)), 4, 0, LARGEST_S, 53),
    "positive_power, power, float": series(
        lambda x: mpf(2) ** x, 6, mpf("-0.501"), mpf("0.501"), 53, exact=(1,)),
    "positive_power, power, double": series(
        lambda x: mpf(2) ** x, 11, mpf("-0.5001"), mpf("0.5001"), 53, exact=(1,)),
    # The first two are sums of two doubles.
    "positive_power, logarithm, double": series(
        of_root(lambda s: 2 * mp.atanh(s) / mp.log(2), 2 / mp.log(2)), 8, 0, NEAR_S, 53,
        exact=(2 / mp.log(2), 2 / mp.log(2) / 3)),
    "log, double": series(of_root(lambda s: 2 * mp.atanh(s), 2), 7, 0, NEAR_S, 53, exact=(2,)),
    "sine_of_quarter, double": series(of_root(mp.sin), 6, 0, NEAR_QUARTER, 53, exact=(1,)),
    "cosine_of_quarter, double": series(
        even(mp.cos), 7, 0, NEAR_QUARTER, 53, exact=(1, mpf("-0.5"))),
    "tangent_to_angle, double": series(
        of_root(mp.atan), 11, 0, ((ROOT - 1) * mpf("1.0001")) ** 2, 53, exact=(1,)),
    "sine_to_angle, double": series(of_root(mp.asin), 12, 0, mpf("0.25"), 53, exact=(1,)),
    "erf, float": series(of_root(mp.erf, 2 / mp.sqrt(mp.pi)), 5, 0, 1),
    "erf, double": series(of_root(mp.erf, 2 / mp.sqrt(mp.pi)), 11, 0, 1, 53),
    "tail, float": series(scaled_tail, 7, of_x("10.2"), of_x("0.99")),
    "tail, double": series(
        lambda u: scaled_tail(u + mpf("0.37")), 19,
        of_x("27.3") - mpf("0.37"), of_x("0.99") - mpf("0.37"), 53),
    "native_exp2": series(lambda x: mpf(2) ** x, 4, mpf("-0.501"), mpf("0.501"), exact=(1,)),
    "native_log2": series(logarithm_by(2), 6, mpf("-0.2929"), mpf("0.41423")),
    "native_sin": series(
        of_root(mp.sin), 3, 0, (mp.pi / 2) ** 2 * mpf("1.01"), exact=(1,)),
    "native_tan": series(of_root(mp.tan), 4, 0, QUARTER, exact=(1,)),
}


def main():
    for name, arguments in FITS.items():
        if len(sys.argv) > 1 and not name.startswith(sys.argv[1]):
            continue
        coefficients, error = fit(**arguments)
        single = arguments["bits"] <= 24
        print(f"{name}: error 2^{float(mp.log(error, 2)):.1f}")
        for coefficient in coefficients:
            print(f"    {float(coefficient).hex()}{'f' if single else ''}")


if __name__ == "__main__":
    main()
