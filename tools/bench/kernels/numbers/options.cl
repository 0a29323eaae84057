// American calls by Bjerksund and Stensland (1993), a closed form with a flat exercise boundary.

// The normal distribution by the polynomial 26.2.17 of Abramowitz and Stegun.
float normal(float x)
{
    float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float poly = t * (0.31938153f + t * (-0.356563782f + t * (1.781477937f +
        t * (-1.821255978f + t * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * x * x) * poly;
    return x < 0.0f ? tail : 1.0f - tail;
}

// The value of S^power at the end where S is at most `limit` and has stayed below `boundary`,
// over the boundary's power.
float phi(float spot, float years, float power, float limit, float boundary, float rate,
          float carry, float volatility)
{
    float variance = volatility * volatility, root = volatility * sqrt(years);
    float drift = (power * carry - rate + 0.5f * power * (power - 1.0f) * variance) * years;
    float d = -(log(spot / limit) + (carry + (power - 0.5f) * variance) * years) / root;
    float kappa = 2.0f * carry / variance + 2.0f * power - 1.0f;
    float reflected = pow(boundary / spot, kappa) * normal(d - 2.0f * log(boundary / spot) / root);
    return exp(drift) * pow(spot / boundary, power) * (normal(d) - reflected);
}

kernel void american_call(global const float *spots, global const float *strikes,
                          global const float *years, global float *calls, float rate, float carry,
                          float volatility)
{
    int i = get_global_id(0);
    float spot = spots[i], strike = strikes[i], t = years[i];
    float variance = volatility * volatility;
    float ratio = carry / variance - 0.5f;
    float beta = -ratio + sqrt(ratio * ratio + 2.0f * rate / variance);
    float endless = beta / (beta - 1.0f) * strike;
    float least = fmax(strike, rate / (rate - carry) * strike);
    float h = -(carry * t + 2.0f * volatility * sqrt(t)) * least / (endless - least);
    float boundary = least + (endless - least) * (1.0f - exp(h));
    float call;
    if (spot >= boundary) {
        call = spot - strike;
    } else {
        float gain = boundary - strike;
        call = gain * pow(spot / boundary, beta);
        call -= gain * phi(spot, t, beta, boundary, boundary, rate, carry, volatility);
        call += boundary * phi(spot, t, 1.0f, boundary, boundary, rate, carry, volatility);
        call -= boundary * phi(spot, t, 1.0f, strike, boundary, rate, carry, volatility);
        call -= strike * phi(spot, t, 0.0f, boundary, boundary, rate, carry, volatility);
        call += strike * phi(spot, t, 0.0f, strike, boundary, rate, carry, volatility);
    }
    calls[i] = call;
}
