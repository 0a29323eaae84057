//! Inputs: all special values with their pairs and triples, every exponent, neighbours of the
//! points where functions change, and values with finite, normal results.

use crate::format::Format;
use crate::function::{Function, Style};
use crate::types::Type;
use fastrand::Rng;
use std::f64::consts::{FRAC_PI_2, PI};

/// The special inputs of a function and about `count` others, as the bit patterns of their
/// arguments. They depend on the seed alone.
pub fn inputs(function: &Function, count: usize, all_halves: bool, seed: u64) -> Vec<Vec<u64>> {
    let mut samples = Samples {
        format: function.format,
        rng: Rng::with_seed(seed),
        count,
    };
    let format = function.format;
    let values: Vec<Vec<f64>> = match function.style {
        Style::Code => {
            let rng = &mut samples.rng;
            return (0..count.min(1000)).map(|_| vec![rng.u64(..)]).collect();
        }
        Style::Conversion => return samples.of_type(function.arguments[0]),
        Style::One if format == Format::Half && all_halves => {
            return (0..1 << 16).map(|bits| vec![bits]).collect();
        }
        Style::One => samples.one().into_iter().map(|x| vec![x]).collect(),
        Style::Two => samples.two(),
        Style::Power => samples.power(),
        Style::Three => samples.three(),
        Style::WithInteger => samples.with_integer(),
        Style::IntegerPower => samples.integer_power(),
        Style::Unit(width) => samples.unit(width),
        Style::Vector(width) => samples.vector(width),
    };
    let types = &function.arguments;
    let bits = |(x, kind): (&f64, &Type)| match kind {
        Type::Floating(format) => format.bits(*x),
        // `int` only: the value is exact.
        Type::Integer(..) => u64::from(*x as i32 as u32),
    };
    values
        .iter()
        .map(|values| values.iter().zip(types).map(bits).collect())
        .collect()
}

struct Samples {
    format: Format,
    rng: Rng,
    count: usize,
}

/// Values at which some function changes its behaviour.
const SPECIAL: &[f64] = &[
    0.0,
    f64::INFINITY,
    f64::NAN,
    1.0,
    0.5,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    10.0,
    17.0,
    100.0,
    1000.0,
    FRAC_PI_2,
    PI,
    0.1,
    0.25,
    0.75,
];

/// Ranges in which some function's results are finite and normal: for exponentials up to overflow.
const INTERVALS: &[(f64, f64)] = &[
    (0.5, 2.0),
    (-1.0, 1.0),
    (-PI, PI),
    (-10.0, 10.0),
    (-46.0, 39.0),
    (-104.0, 89.0),
    (-150.0, 128.0),
    (-200.0, 180.0),
    (-330.0, 310.0),
    (-750.0, 710.0),
    (-1080.0, 1024.0),
    (0.9, 1.1),
    (-30.0, 0.0),
    (0.0, 30.0),
];

/// Exponents at which functions change.
const INTEGERS: &[i32] = &[
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    4,
    -4,
    5,
    7,
    -7,
    10,
    17,
    100,
    -100,
    127,
    128,
    -126,
    -127,
    -149,
    -150,
    1000,
    1023,
    1024,
    -1022,
    -1074,
    -1075,
    2100,
    -2100,
    65536,
    65537,
    1 << 24,
    (1 << 24) + 1,
    i32::MAX,
    i32::MAX - 1,
    -i32::MAX,
    i32::MIN,
];

impl Samples {
    /// All special values with both signs, and the limits of the type.
    fn special(&self) -> Vec<f64> {
        let format = self.format;
        let least = 2f64.powi(format.smallest_exponent());
        let limits = [
            format.step(0.0, 1),
            format.step(0.0, 2),
            format.step(least, -1),
            least,
            format.step(least, 1),
            format.largest(),
            format.step(format.largest(), -1),
            format.step(1.0, 1),
            format.step(1.0, -1),
            format.step(0.5, -1),
            // The first values that are all integers, and all even.
            2f64.powi(format.precision() as i32 - 1),
            2f64.powi(format.precision() as i32) - 1.0,
            2f64.powi(format.precision() as i32 - 1) - 0.5,
            2f64.powi(format.precision() as i32 + 1),
        ];
        let positive = SPECIAL
            .iter()
            .copied()
            .map(|x| format.nearest(x))
            .chain(limits);
        positive.flat_map(|x| [x, -x]).collect()
    }

    fn sign(&mut self) -> f64 {
        if self.rng.bool() { 1.0 } else { -1.0 }
    }

    /// A random value with that exponent.
    fn with_exponent(&mut self, exponent: i32) -> f64 {
        let significand = 1.0 + self.rng.f64();
        let scaled = significand * self.sign() * 2f64.powi(exponent.max(-1000));
        self.format
            .nearest(scaled * 2f64.powi(exponent.min(-1000) + 1000))
    }

    /// A random finite value; all exponents are equally likely.
    fn any(&mut self) -> f64 {
        let lowest = self.format.denormal_exponent();
        let exponent = self.rng.i32(lowest..=self.format.largest_exponent());
        self.with_exponent(exponent)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.format.nearest(low + (high - low) * self.rng.f64())
    }

    /// A random value of moderate size.
    fn ordinary(&mut self) -> f64 {
        let exponent = self.rng.i32(-10..=10);
        self.with_exponent(exponent)
    }

    fn one(&mut self) -> Vec<f64> {
        let format = self.format;
        let mut values = self.special();
        let exponents = format.denormal_exponent()..=format.largest_exponent();
        let each = (self.count / 4 / exponents.clone().count()).max(1);
        for exponent in exponents {
            for _ in 0..each {
                values.push(self.with_exponent(exponent));
            }
        }
        let each = (self.count / 2 / INTERVALS.len()).max(1);
        for (low, high) in INTERVALS {
            for _ in 0..each {
                values.push(self.between(*low, *high));
            }
        }
        // Near multiples of half pi, small and large, and near integers and their halves.
        for _ in 0..self.count / 40 + 10 {
            let size = self.rng.i32(0..format.largest_exponent().min(900));
            let multiple = (self.rng.f64() * 2f64.powi(size)).round() * self.sign();
            let small = self.rng.i32(-40..=40);
            let steps = self.rng.i64(-2..=2);
            for near in [multiple * FRAC_PI_2, f64::from(small) * FRAC_PI_2] {
                values.push(format.step(format.nearest(near), steps));
            }
            let integer = (self.rng.f64() * 2f64.powi(self.rng.i32(0..=12))).round();
            for near in [integer, integer + 0.5, f64::from(small)] {
                values.push(format.step(format.nearest(near * self.sign()), steps));
            }
        }
        for integer in 0..=180 {
            values.extend([f64::from(integer), -f64::from(integer)]);
        }
        values
    }

    fn pairs_of_special(&self) -> Vec<Vec<f64>> {
        let special = self.special();
        let pair = |x: &f64| special.iter().map(|y| vec![*x, *y]).collect::<Vec<_>>();
        special.iter().flat_map(pair).collect()
    }

    fn two(&mut self) -> Vec<Vec<f64>> {
        let format = self.format;
        let mut pairs = self.pairs_of_special();
        let special = self.special();
        for index in 0..self.count {
            let x = match index % 9 {
                6 => {
                    let above = self.rng.i32(0..2 * format.precision() as i32);
                    self.with_exponent(format.denormal_exponent() + above)
                }
                7 => {
                    let below = self.rng.i32(0..9);
                    self.with_exponent(format.largest_exponent() - below)
                }
                _ => self.any(),
            };
            let exponent = format.nearest(x).abs().log2().floor().max(-1070.0) as i32;
            let y = match index % 9 {
                0 => self.any(),
                1 => {
                    let steps = self.rng.i64(-3..=3);
                    format.step(x, steps) * self.sign()
                }
                2 | 3 => {
                    let away = self.rng.i32(-3..=3);
                    self.with_exponent((exponent + away).min(format.largest_exponent()))
                }
                4 => {
                    let away = self.rng.i32(-60..=60);
                    self.with_exponent((exponent + away).min(format.largest_exponent()))
                }
                5 => self.ordinary(),
                // A multiple, or nearly so, of a tiny or a huge value.
                6 | 7 => {
                    let steps = self.rng.i64(-1..=1);
                    let multiple = format.nearest(x * f64::from(self.rng.i32(1..=200)));
                    format.step(multiple, steps) * self.sign()
                }
                _ => special[self.rng.usize(..special.len())],
            };
            pairs.push(match index / 9 % 5 {
                0 => vec![self.ordinary(), self.ordinary()],
                1 | 2 => vec![x, y],
                _ => vec![y, x],
            });
        }
        pairs
    }

    /// Base 2 logarithm of a result that is mostly finite.
    fn target(&mut self) -> f64 {
        let range = f64::from(self.format.largest_exponent());
        (self.rng.f64() * 2.1 - 1.05) * (range + 2.0 + f64::from(self.format.precision()) / 2.0)
    }

    /// A base of powers: any value, one near 1, or one of moderate size.
    fn base(&mut self, index: usize) -> f64 {
        match index % 4 {
            0 => self.any(),
            1 => self.ordinary(),
            2 => self.between(0.5, 2.0),
            _ => {
                let steps = self.rng.i64(1..1 << (self.format.precision() / 2));
                let steps = if self.rng.bool() { steps } else { -steps };
                self.format.step(1.0, steps)
            }
        }
    }

    fn power(&mut self) -> Vec<Vec<f64>> {
        let mut pairs = self.pairs_of_special();
        for index in 0..self.count {
            let base = self.base(index);
            let exponent = match index % 5 {
                0 => self.ordinary(),
                1 => f64::from(self.rng.i32(-40..=40)),
                _ => self.target() / base.abs().log2(),
            };
            // Negative bases need integral exponents.
            let exponent = if base < 0.0 {
                exponent.round()
            } else {
                exponent
            };
            pairs.push(vec![base, self.format.nearest(exponent)]);
        }
        pairs
    }

    fn integer_pairs_of_special(&self) -> Vec<Vec<f64>> {
        let pair = |x: f64| INTEGERS.iter().map(move |n| vec![x, f64::from(*n)]);
        self.special().into_iter().flat_map(pair).collect()
    }

    fn with_integer(&mut self) -> Vec<Vec<f64>> {
        let mut pairs = self.integer_pairs_of_special();
        let range = 2 * self.format.largest_exponent() + 200;
        for index in 0..self.count {
            let n = match index % 4 {
                0 => self.rng.i32(..),
                1 => self.rng.i32(-range..=range),
                _ => self.rng.i32(-40..=40),
            };
            pairs.push(vec![self.any(), f64::from(n)]);
        }
        pairs
    }

    fn integer_power(&mut self) -> Vec<Vec<f64>> {
        let mut pairs = self.integer_pairs_of_special();
        for index in 0..self.count {
            let base = self.base(index) * self.sign();
            let n = match index % 3 {
                0 => f64::from(self.rng.i32(-40..=40)),
                _ => (self.target() / base.abs().log2()).clamp(-2e9, 2e9).round(),
            };
            pairs.push(vec![base, if n.is_nan() { 1.0 } else { n }]);
        }
        pairs
    }

    fn three(&mut self) -> Vec<Vec<f64>> {
        let format = self.format;
        let special = self.special();
        // Every third value is enough for triples of all kinds, since signs alternate.
        let few: Vec<f64> = special.iter().copied().step_by(3).collect();
        let mut triples = Vec::new();
        for x in &few {
            for y in &few {
                triples.extend(few.iter().map(|z| vec![*x, *y, *z]));
            }
        }
        for index in 0..self.count {
            let (x, y) = (self.any(), self.any());
            triples.push(match index % 6 {
                0 => vec![x, y, self.any()],
                1 => vec![self.ordinary(), self.ordinary(), self.ordinary()],
                // Cancellation.
                2 => {
                    let (x, y) = (self.ordinary(), self.ordinary());
                    let steps = self.rng.i64(-2..=2);
                    vec![x, y, -format.step(format.nearest(x * y), steps)]
                }
                // The product is about as large as the sum may be small.
                3 | 4 => {
                    let exponent = (x.abs().log2() + y.abs().log2()) as i32;
                    let away = self.rng.i32(-2..=2) * format.precision() as i32 / 2;
                    let exponent = exponent + away;
                    let range = format.denormal_exponent()..=format.largest_exponent();
                    if range.contains(&exponent) {
                        vec![x, y, self.with_exponent(exponent)]
                    } else {
                        vec![x, self.ordinary(), self.any()]
                    }
                }
                _ => {
                    let mut pick = || special[self.rng.usize(..special.len())];
                    let (a, b) = (pick(), pick());
                    vec![a, x, b]
                }
            });
        }
        triples
    }

    fn unit(&mut self, width: usize) -> Vec<Vec<f64>> {
        (0..self.count)
            .map(|_| (0..width).map(|_| self.between(0.0, 1.0)).collect())
            .collect()
    }

    /// Vectors whose components have sizes near each other, which may be extreme.
    fn vector(&mut self, width: usize) -> Vec<Vec<f64>> {
        let format = self.format;
        let special = self.special();
        let lowest = format.denormal_exponent();
        let count = self.count;
        (0..count)
            .map(|index| {
                let exponent = match index % 3 {
                    0 => self.rng.i32(-8..=8),
                    _ => self.rng.i32(lowest..=format.largest_exponent()),
                };
                (0..width)
                    .map(|_| match index % 10 {
                        0 => special[self.rng.usize(..special.len())],
                        1 if self.rng.bool() => 0.0,
                        _ => {
                            let away = self.rng.i32(-3..=3);
                            let exponent = exponent + away;
                            self.with_exponent(exponent.clamp(lowest, format.largest_exponent()))
                        }
                    })
                    .collect()
            })
            .collect()
    }

    /// Values of any type: its limits, powers of two and their neighbours, and random values.
    fn of_type(&mut self, kind: Type) -> Vec<Vec<u64>> {
        let Type::Integer(bits, _) = kind else {
            let Type::Floating(format) = kind else {
                unreachable!("a type is of one of the two sorts");
            };
            self.format = format;
            if format == Format::Half {
                return (0..1 << 16).map(|bits| vec![bits]).collect();
            }
            let mut values = self.special();
            // The limits of each other type, and halves next to them.
            for exponent in (-26..=66).chain([-1074, -149, -126, 127, 128]) {
                let power = 2f64.powi(exponent);
                for value in [
                    power,
                    power + 0.5,
                    power - 0.5,
                    power + 1.0,
                    power - 1.0,
                    power * 1.5,
                ] {
                    for steps in -2..=2 {
                        let value = format.step(format.nearest(value), steps);
                        values.extend([value, -value]);
                    }
                }
            }
            // Values halfway between two values of narrower types.
            for _ in 0..self.count / 2 {
                let value = self.any() as f32;
                let next = f32::from_bits(value.to_bits() ^ 1);
                let middle = f64::midpoint(f64::from(value), f64::from(next));
                let steps = self.rng.i64(-1..=1);
                values.push(format.step(format.nearest(middle), steps));
                let exponent = self.rng.i32(-3..=65);
                values.push(self.with_exponent(exponent));
            }
            return values.into_iter().map(|x| vec![format.bits(x)]).collect();
        };
        if bits <= 16 {
            return (0..1u64 << bits).map(|bits| vec![bits]).collect();
        }
        let mut patterns = Vec::new();
        for shift in 0..bits {
            for near in [-3i64, -2, -1, 0, 1, 2, 3] {
                let power = (1u64 << shift).wrapping_add(near as u64);
                patterns.extend([power, power.wrapping_neg()]);
                patterns.extend([23, 24, 25, 52, 53, 54].map(|distance| power | power >> distance));
            }
        }
        for _ in 0..self.count {
            patterns.push(self.rng.u64(..) >> self.rng.u32(0..64));
        }
        let mask = u64::MAX >> (64 - bits);
        patterns
            .into_iter()
            .map(|pattern| vec![pattern & mask])
            .collect()
    }
}
