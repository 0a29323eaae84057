#!/usr/bin/env python3
"""Prints the polynomials of kernel-compiler/builtins/ with their errors.

    python3 coefficients.py [NAME]        (needs mpmath)

Each is the best approximation in the relative or absolute sense on its interval (Remez's
exchange). Coefficients are rounded to the type from the first on, and what follows is
fitted again around each, so that little is lost by it.
"""

import sys
from mpmath import mp, mpf, matrix, lu_solve

mp.prec = 160


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


def fit(target, powers, low, high, bits, relative=True, exact=()):
    """As `exchange`, in coefficients of `bits` bits; `exact` are the first, given."""
    low, high = mpf(low), mpf(high)
    known = [mpf(c) for c in exact]
    free = list(powers[len(known):])
    scale = (lambda x: 1 / target(x)) if relative else (lambda x: mpf(1))
    error = None
    while free:
        fixed = list(zip(known, powers))
        rest = lambda x: target(x) - sum(c * x**p for c, p in fixed)
        coefficients, worst = exchange(rest, scale, free, low, high)
        error = worst if error is None else error
        known.append(rounded(coefficients[0], bits))
        free.pop(0)
    grid = [low + (high - low) * i / 500 for i in range(501)]
    final = max(
        abs((sum(c * x**p for c, p in zip(known, powers)) - target(x)) * scale(x))
        for x in grid
    )
    return known, final


def even(function):
    """A function of x^2."""
    return lambda z: function(mp.sqrt(z))


# What is fitted: name -> arguments of `fit`.
FITS = {}


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
