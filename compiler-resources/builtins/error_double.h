// erf and erfc for double; the method is that of error_float.h.

// The error is 2^-55.9.
STEP D near_zero(D x) {
  D z = x * x;
  return x * (0x1.20dd750429b6dp+0 + z * (-0x1.812746b03799dp-2 +
         z * (0x1.ce2f21a03f8bap-4 + z * (-0x1.b82ce311a96c1p-6 +
         z * (0x1.565bcceec3087p-8 + z * (-0x1.c02daeae73a38p-11 +
         z * (0x1.f9a295532feb2p-14 + z * (-0x1.f4c81015c3f47p-17 +
         z * (0x1.b969c2ff0128bp-20 + z * (-0x1.5b805bd68503dp-23 +
         z * (0x1.d379d3ac99f63p-27 + z * -0x1.a0e41c7d6bc4ep-31)))))))))));
}

// The series is in u = t - 0.37, with an error of 2^-53.8; x^2 is a sum of two doubles.
STEP D tail(D x) {
  D t = 1.0 / (1.0 + 0.5 * x), u = t - 0.37;
  D ratio = t * (0x1.b8dfdf2989be5p-2 + u * (0x1.19e45376006a2p-1 +
            u * (0x1.f2fd073d7f140p-2 + u * (0x1.b6751fa183102p-3 +
            u * (-0x1.5d7fe585a3974p-4 + u * (-0x1.3820cb34dfe4fp-3 +
            u * (0x1.0c239267af3d1p-6 + u * (0x1.d940036daf283p-4 +
            u * (-0x1.e8bea620e0b0ep-7 + u * (-0x1.a8ad77a6d595cp-4 +
            u * (0x1.409c805201b03p-5 + u * (0x1.8c8da107d70e8p-4 +
            u * (-0x1.5d9d1bb27e575p-4 + u * (-0x1.259340a2dbce4p-4 +
            u * (0x1.304f3340332bcp-3 + u * (-0x1.70cc37f096510p-10 +
            u * (-0x1.91cbd77de036ep-3 + u * (0x1.00101154c4801p-3 +
            u * (0x1.3698c5bff1dcdp-3 + u * -0x1.68b3abe09db82p-3)))))))))))))))))));
  D square = x * x, square_lower = fma(x, x, -square);
  D shifted = 0x1.8p+52 - square * 0x1.71547652b82fep+0;
  D n = shifted - 0x1.8p+52;
  D r = ((-square - n * 0x1.62e42fefa2p-1) - n * 0x1.9ef35793c7673p-41) - square_lower;
  D power = 1.0 + (r + r * r * (0.5 + r * (0x1.5555555555558p-3 +
            r * (0x1.5555555555556p-5 + r * (0x1.111111110f703p-7 +
            r * (0x1.6c16c16c15d34p-10 + r * (0x1.a01a01b085b90p-13 +
            r * (0x1.a01a01a97ba52p-16 + r * (0x1.71ddf55de1658p-19 +
            r * (0x1.27e4d4107c342p-22 + r * (0x1.af65ac5bdc374p-26 +
            r * 0x1.1f80965612073p-29)))))))))));
  return ratio * power * AS(D, (AS(L, shifted) + 1087l) << 52l) * 0x1p-64;
}

D BUILTIN erf(D x) {
  D size = fabs(x);
  D value = near_zero(x);
  L large = size > 1.0;
  if (ANY(large)) {
    // From 5.92 on it is 1.
    D nearer = size > 7.0 ? (D)7.0 : size;
    value = large ? copysign(1.0 - tail(nearer), x) : value;
  }
  return value;
}

D BUILTIN erfc(D x) {
  D size = fabs(x);
  D value = 1.0 - near_zero(x);
  L large = size > 1.0;
  if (ANY(large)) {
    // Products that are too small for a normal number are slow.
    L zero = size > 27.3;
    D rest = tail(zero ? (D)1.0 : size);
    rest = zero ? (D)0.0 : rest;
    value = large ? (x < 0.0 ? 2.0 - rest : rest) : value;
  }
  return value;
}
