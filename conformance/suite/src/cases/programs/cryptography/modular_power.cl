/* Powers modulo a number of 256 bits by Montgomery's product: four limbs of 64 bits. */
typedef struct {
    ulong limb[4];
} number;

/* a + b * c + carry, in two limbs. */
ulong multiply_add(ulong a, ulong b, ulong c, ulong *carry) {
    ulong low = b * c, high = mul_hi(b, c);
    low += a;
    high += low < a;
    low += *carry;
    high += low < *carry;
    *carry = high;
    return low;
}

bool at_least(const number *a, const number *b) {
    for (int i = 3; i >= 0; i--) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] > b->limb[i];
    }
    return true;
}

void subtract(number *a, const number *b) {
    ulong borrow = 0;
    for (int i = 0; i < 4; i++) {
        const ulong before = a->limb[i];
        const ulong after = before - b->limb[i] - borrow;
        borrow = borrow ? after >= before : after > before;
        a->limb[i] = after;
    }
}

number montgomery(const number a, const number b, const number *modulus, ulong inverse) {
    ulong sum[6] = {0};
    for (int i = 0; i < 4; i++) {
        ulong carry = 0;
        for (int j = 0; j < 4; j++)
            sum[j] = multiply_add(sum[j], a.limb[j], b.limb[i], &carry);
        sum[4] += carry;
        sum[5] = sum[4] < carry;
        const ulong factor = sum[0] * inverse;
        carry = 0;
        multiply_add(sum[0], factor, modulus->limb[0], &carry);
        for (int j = 1; j < 4; j++)
            sum[j - 1] = multiply_add(sum[j], factor, modulus->limb[j], &carry);
        sum[3] = sum[4] + carry;
        sum[4] = sum[5] + (sum[3] < carry);
    }
    number result;
    for (int i = 0; i < 4; i++)
        result.limb[i] = sum[i];
    if (sum[4] || at_least(&result, modulus))
        subtract(&result, modulus);
    return result;
}

/* one and square are 2^256 and 2^512 modulo the modulus. */
kernel void power(global const number *bases, global const number *exponents,
                  global number *results, number modulus, ulong inverse, number one,
                  number square) {
    const size_t item = get_global_id(0);
    const number exponent = exponents[item];
    const number base = montgomery(bases[item], square, &modulus, inverse);
    number result = one;
    for (int bit = 255; bit >= 0; bit--) {
        result = montgomery(result, result, &modulus, inverse);
        if (exponent.limb[bit / 64] >> bit % 64 & 1)
            result = montgomery(result, base, &modulus, inverse);
    }
    const number unit = {{1, 0, 0, 0}};
    results[item] = montgomery(result, unit, &modulus, inverse);
}
