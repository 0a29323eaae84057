//! IEEE 754 binary16 by the book: what halves mean, and rounding to them.

/// Roundings of OpenCL 1.2, section 6.2.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    ToNearestEven,
    TowardsZero,
    Up,
    Down,
}

/// The roundings and the suffixes that name them; without one it is to nearest even.
pub const ROUNDINGS: [(&str, Rounding); 5] = [
    ("", Rounding::ToNearestEven),
    ("_rte", Rounding::ToNearestEven),
    ("_rtz", Rounding::TowardsZero),
    ("_rtp", Rounding::Up),
    ("_rtn", Rounding::Down),
];

/// Where a value rounded to integers in that mode goes.
pub fn to_integer(x: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::ToNearestEven => x.round_ties_even(),
        Rounding::TowardsZero => x.trunc(),
        Rounding::Up => x.ceil(),
        Rounding::Down => x.floor(),
    }
}

/// The largest finite half.
pub const MAX: f64 = 65504.0;

/// The value of a half.
pub fn value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let significand = f64::from(bits & 0x3ff);
    sign * match bits >> 10 & 0x1f {
        0 => significand * 2f64.powi(-24),
        31 if significand == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + significand) * 2f64.powi(i32::from(exponent) - 25),
    }
}

/// Exponent of a value's last place in halves.
fn last_place(magnitude: f64) -> i32 {
    // Exact, unlike log2; doubles that are not normal are far below halves.
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    exponent.clamp(-14, 16) - 10
}

/// The nearest half in that direction.
pub fn round(x: f64, rounding: Rounding) -> u16 {
    if x.is_nan() {
        return 0x7e00;
    }
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    if x.is_infinite() {
        return sign | 0x7c00;
    }
    let place = last_place(x.abs());
    let units = to_integer(x * 2f64.powi(-place), rounding).abs();
    if units * 2f64.powi(place) > MAX {
        let outwards = match rounding {
            Rounding::ToNearestEven => true,
            Rounding::TowardsZero => false,
            Rounding::Up => sign == 0,
            Rounding::Down => sign != 0,
        };
        return sign | if outwards { 0x7c00 } else { 0x7bff };
    }
    // A carry out of the significand raises the exponent.
    let below = if place == -24 { 0 } else { (place + 24) << 10 };
    sign | (below + units as i32) as u16
}

/// The half nearest to `n` 2^-48.
pub fn round_fixed(n: i128) -> u16 {
    // Doubles hold the upper 53 bits; a sticky bit below them has all the others.
    let magnitude = n.unsigned_abs();
    let dropped = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = (magnitude >> dropped) as u64;
    let rest = magnitude != u128::from(kept) << dropped;
    let sum = (kept | u64::from(rest)) as f64 * 2f64.powi(dropped as i32 - 48);
    round(if n < 0 { -sum } else { sum }, Rounding::ToNearestEven)
}

/// Distance in units in the last place of the right result; beyond the largest half is
/// one place, infinity.
pub fn ulps(got: u16, right: f64) -> f64 {
    let got = value(got);
    if got.is_nan() || right.is_nan() {
        return if got.is_nan() && right.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let (got, right) = (got.clamp(-65536.0, 65536.0), right.clamp(-65536.0, 65536.0));
    (got - right).abs() / 2f64.powi(last_place(right.abs()).min(5))
}

/// Whether both are the same half, any NaN being as good as another.
pub fn same(a: u16, b: u16) -> bool {
    a == b || (value(a).is_nan() && value(b).is_nan())
}

/// Every half.
pub fn all() -> Vec<u16> {
    (0..=u16::MAX).collect()
}

/// Halves of each exponent, small and large significands, both signs, and those with
/// meanings of their own.
pub fn strata() -> Vec<u16> {
    let mut halves = vec![0x7c00, 0x7e00, 0x3c00, 0x4000, 0x3800, 0x4200];
    let mut state = 1u32;
    for exponent in 0..31u16 {
        for significand in [0, 1, 0x3ff] {
            halves.push(exponent << 10 | significand);
        }
        for _ in 0..2 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            halves.push(exponent << 10 | (state >> 16) as u16 & 0x3ff);
        }
    }
    let negative: Vec<u16> = halves.iter().map(|bits| bits | 0x8000).collect();
    halves.extend(negative);
    halves
}

/// All pairs of `strata`.
pub fn pairs() -> Vec<[u16; 2]> {
    let strata = strata();
    strata
        .iter()
        .flat_map(|&a| strata.iter().map(move |&b| [a, b]))
        .collect()
}

/// Doubles on, at and around each half and the middle between it and the next, so near
/// that floats do not distinguish them; and some far out of the range of halves.
pub fn around_halves() -> Vec<f64> {
    let mut values = vec![0.0, 1e-300, 1e-40, 1e-10, 1e6, 1e30, 1e300, f64::INFINITY];
    for bits in 0..0x7c00u16 {
        let half = value(bits);
        let middle = half + 2f64.powi(last_place(half) - 1);
        for x in [half, middle] {
            values.extend([x, x.next_up(), x * (1.0 + 1e-10), x * (1.0 + 1e-6)]);
            if x > 0.0 {
                values.extend([x.next_down(), x * (1.0 - 1e-10), x * (1.0 - 1e-6)]);
            }
        }
    }
    let negative: Vec<f64> = values.iter().map(|x| -x).collect();
    values.extend(negative);
    values.push(f64::NAN);
    values
}

#[test]
fn rounding_gives_back_every_half() {
    for bits in all() {
        for (_, rounding) in ROUNDINGS {
            let back = round(value(bits), rounding);
            assert!(same(back, bits), "{bits:#x} {rounding:?} {back:#x}");
        }
    }
    assert_eq!(round(65519.99, Rounding::ToNearestEven), 0x7bff);
    assert_eq!(round(65520.0, Rounding::ToNearestEven), 0x7c00);
    assert_eq!(round(1e-300, Rounding::Up), 1);
    assert_eq!(round_fixed((1 << 48) + (1 << 37)), 0x3c00);
    assert_eq!(round_fixed((1 << 48) + (1 << 37) + 1), 0x3c01);
}
