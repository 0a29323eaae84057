// Prices of European options by the Black-Scholes formula.

// The normal distribution by the polynomial 26.2.17 of Abramowitz and Stegun.
float distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) * k *
        (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
        k * (-1.821255978f + k * 1.330274429f))));
    return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *prices, global const float *strikes,
                          global const float *years, global float *calls, global float *puts,
                          float rate, float volatility)
{
    int i = get_global_id(0);
    float price = prices[i], strike = strikes[i], t = years[i];
    float root = sqrt(t);
    float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * t) /
        (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = distribution(d1), n2 = distribution(d2);
    float discounted = strike * exp(-rate * t);
    calls[i] = price * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
}
