//! What the functions compute. Each has its operands in the order of `functions.toml`.

use crate::function::Operand;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::PI;

/// An array; empty if the operand is none.
fn array(operand: &Operand) -> &[f32] {
    match operand {
        Operand::Array(array) => array,
        _ => &[],
    }
}

/// An array of double precision; empty if the operand is none.
fn doubles(operand: &Operand) -> &[f64] {
    match operand {
        Operand::Doubles(array) => array,
        _ => &[],
    }
}

/// A size; 0 if the operand is none.
fn size(operand: &Operand) -> usize {
    match operand {
        Operand::Size(size) => *size as usize,
        _ => 0,
    }
}

/// The sum of the products, rounded once.
fn dot<'a>(a: impl Iterator<Item = &'a f32>, b: impl Iterator<Item = &'a f32>) -> f64 {
    let products = a.zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
    products.sum()
}

/// The complex numbers of an array of pairs.
fn complex(array: &[f32]) -> Vec<Complex<f64>> {
    let pairs = array.chunks_exact(2);
    pairs
        .map(|pair| Complex::new(f64::from(pair[0]), f64::from(pair[1])))
        .collect()
}

fn pairs(numbers: impl IntoIterator<Item = Complex<f64>>) -> Operand {
    let numbers = numbers.into_iter();
    Operand::Array(
        numbers
            .flat_map(|number| [number.re as f32, number.im as f32])
            .collect(),
    )
}

/// `x, h, y, n, taps`
pub fn real_fir(operands: &mut [Operand]) {
    let [x, h, y, ..] = operands else { return };
    let h = array(h);
    let windows = array(x).windows(h.len());
    *y = Operand::Array(
        windows
            .map(|window| dot(h.iter(), window.iter().rev()) as f32)
            .collect(),
    );
}

/// `x, h, y, n, taps`
pub fn complex_fir(operands: &mut [Operand]) {
    let [x, h, y, ..] = operands else { return };
    let (x, h) = (complex(array(x)), complex(array(h)));
    let windows = x.windows(h.len());
    *y = pairs(windows.map(|window| {
        let products = h.iter().zip(window.iter().rev()).map(|(h, x)| h * x);
        products.sum::<Complex<f64>>()
    }));
}

/// `x, d, h, y, e, mu, n, taps`. Coefficients are of double precision during a frame.
pub fn adaptive_fir(operands: &mut [Operand]) {
    let [x, d, h, y, e, Operand::Number(mu), ..] = operands else {
        return;
    };
    let mut adapted: Vec<f64> = array(h).iter().map(|h| f64::from(*h)).collect();
    let windows = array(x).windows(adapted.len());
    let (mut filtered, mut errors) = (Vec::new(), Vec::new());
    for (window, desired) in windows.zip(array(d)) {
        let newest_first = || window.iter().rev().map(|x| f64::from(*x));
        let products = adapted.iter().zip(newest_first()).map(|(h, x)| h * x);
        let sum: f64 = products.sum();
        let error = f64::from(*desired) - sum;
        for (h, x) in adapted.iter_mut().zip(newest_first()) {
            *h += f64::from(*mu) * error * x;
        }
        filtered.push(sum as f32);
        errors.push(error as f32);
    }
    *h = Operand::Array(adapted.iter().map(|h| *h as f32).collect());
    *y = Operand::Array(filtered);
    *e = Operand::Array(errors);
}

/// `x, c, s, y, n, sections`, in the transposed direct form II.
pub fn iir(operands: &mut [Operand]) {
    let [x, c, s, y, ..] = operands else { return };
    let mut samples: Vec<f64> = array(x).iter().map(|x| f64::from(*x)).collect();
    let mut states = Vec::new();
    let sections = array(c).chunks_exact(5).zip(array(s).chunks_exact(2));
    for (coefficients, state) in sections {
        let [b0, b1, b2, a1, a2] = std::array::from_fn(|k| f64::from(coefficients[k]));
        let [mut s1, mut s2] = [f64::from(state[0]), f64::from(state[1])];
        for sample in &mut samples {
            let (x, y) = (*sample, b0 * *sample + s1);
            s1 = b1 * x - a1 * y + s2;
            s2 = b2 * x - a2 * y;
            *sample = y;
        }
        states.extend([s1 as f32, s2 as f32]);
    }
    *s = Operand::Array(states);
    *y = Operand::Array(samples.iter().map(|y| *y as f32).collect());
}

/// `a, b, r, n`
pub fn vector_dot(operands: &mut [Operand]) {
    let [a, b, r, ..] = operands else { return };
    *r = Operand::Array(vec![dot(array(a).iter(), array(b).iter()) as f32]);
}

/// `a, b, c, n`
pub fn vector_add(operands: &mut [Operand]) {
    let [a, b, c, ..] = operands else { return };
    let sums = array(a).iter().zip(array(b)).map(|(a, b)| a + b);
    *c = Operand::Array(sums.collect());
}

/// `a, r, n`
pub fn vector_max(operands: &mut [Operand]) {
    let [a, r, ..] = operands else { return };
    let largest = array(a).iter().copied().reduce(f32::max);
    *r = Operand::Array(largest.into_iter().collect());
}

/// `z, inverse`
pub fn fft_256(operands: &mut [Operand]) {
    let [z, inverse] = operands else { return };
    let mut values = complex(array(z));
    let mut planner = FftPlanner::new();
    if size(inverse) == 0 {
        planner.plan_fft_forward(values.len()).process(&mut values);
    } else {
        planner.plan_fft_inverse(values.len()).process(&mut values);
        let count = values.len() as f64;
        values.iter_mut().for_each(|value| *value /= count);
    }
    *z = pairs(values);
}

/// `x, y, inverse`
pub fn dct_64(operands: &mut [Operand]) {
    let [x, y, inverse] = operands else { return };
    let (x, inverse) = (array(x), size(inverse) != 0);
    let count = x.len();
    // Row k of the orthonormal matrix; the inverse is the transpose.
    let entry = |k: usize, i: usize| {
        let scale = if k == 0 { 1.0 } else { 2.0 };
        let angle = PI * ((2 * i + 1) * k) as f64 / (2 * count) as f64;
        (scale / count as f64).sqrt() * angle.cos()
    };
    let transformed = (0..count).map(|row| {
        let products = x.iter().enumerate().map(|(column, x)| {
            let factor = match inverse {
                false => entry(row, column),
                true => entry(column, row),
            };
            factor * f64::from(*x)
        });
        products.sum::<f64>() as f32
    });
    *y = Operand::Array(transformed.collect());
}

/// `a, b, r, n, lags`
pub fn correlation(operands: &mut [Operand]) {
    let [a, b, r, ..] = operands else { return };
    let a = array(a);
    let shifted = array(b).windows(a.len());
    *r = Operand::Array(
        shifted
            .map(|window| dot(a.iter(), window.iter()) as f32)
            .collect(),
    );
}

/// `a, b, c, n, m`. An element's products are added in the order of m, without fused operations.
pub fn matrix_multiply(operands: &mut [Operand]) {
    let [a, b, c, n, m] = operands else { return };
    let (a, b, n, m) = (doubles(a), doubles(b), size(n), size(m));
    let mut product = vec![0.0; n * n];
    // By rows of b, which are contiguous.
    for (row, sums) in a.chunks_exact(m).zip(product.chunks_exact_mut(n)) {
        for (factor, others) in row.iter().zip(b.chunks_exact(n)) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += factor * other;
            }
        }
    }
    *c = Operand::Doubles(product);
}
