//! The loops that most kernels spend their time in, for processors with AVX2 and for others.

use crate::real::Real;

/// Sums that are added at the end, as vector units do.
const SUMS: usize = 32;

/// The product of two vectors.
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has the features.
        return unsafe { dot_avx2(a, b) };
    }
    dot_of(a, b, |a, b, sum| sum + a * b)
}

/// y = y + alpha x
pub fn add_multiple<T: Real>(alpha: T, x: &[T], y: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has the features.
        return unsafe { add_multiple_avx2(alpha, x, y) };
    }
    add_multiple_of(alpha, x, y, |a, b, sum| sum + a * b);
}

/// y = y + the sum of four multiples of vectors as long as y, which is loaded and stored once.
pub fn add_multiples<T: Real>(alpha: [T; 4], x: [&[T]; 4], y: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has the features.
        return unsafe { add_multiples_avx2(alpha, x, y) };
    }
    add_multiples_of(alpha, x, y, |a, b, sum| sum + a * b);
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dot_avx2<T: Real>(a: &[T], b: &[T]) -> T {
    dot_of(a, b, T::mul_add)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn add_multiple_avx2<T: Real>(alpha: T, x: &[T], y: &mut [T]) {
    add_multiple_of(alpha, x, y, T::mul_add);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn add_multiples_avx2<T: Real>(alpha: [T; 4], x: [&[T]; 4], y: &mut [T]) {
    add_multiples_of(alpha, x, y, T::mul_add);
}

#[inline(always)]
fn dot_of<T: Real>(a: &[T], b: &[T], multiply_add: impl Fn(T, T, T) -> T) -> T {
    let mut sums = [T::zero(); SUMS];
    let (a, a_rest) = a.as_chunks::<SUMS>();
    let (b, b_rest) = b.as_chunks::<SUMS>();
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum = multiply_add(*a, *b, *sum);
        }
    }
    let rest = a_rest.iter().zip(b_rest);
    let rest = rest.fold(T::zero(), |sum, (a, b)| multiply_add(*a, *b, sum));
    sums.into_iter().sum::<T>() + rest
}

#[inline(always)]
fn add_multiple_of<T: Real>(alpha: T, x: &[T], y: &mut [T], multiply_add: impl Fn(T, T, T) -> T) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = multiply_add(alpha, *x, *y);
    }
}

#[inline(always)]
fn add_multiples_of<T: Real>(
    alpha: [T; 4],
    x: [&[T]; 4],
    y: &mut [T],
    multiply_add: impl Fn(T, T, T) -> T,
) {
    let [x0, x1, x2, x3] = x.map(|x| x[..y.len()].iter());
    for ((((y, x0), x1), x2), x3) in y.iter_mut().zip(x0).zip(x1).zip(x2).zip(x3) {
        let sum = multiply_add(alpha[0], *x0, *y);
        let sum = multiply_add(alpha[1], *x1, sum);
        let sum = multiply_add(alpha[2], *x2, sum);
        *y = multiply_add(alpha[3], *x3, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::{add_multiple, add_multiples, dot};

    #[test]
    fn any_number_of_elements_is_added() {
        for count in 0..100 {
            let a: Vec<f32> = (0..count).map(|i| i as f32).collect();
            let expected: usize = (0..count).map(|i| i * i).sum();
            assert_eq!(dot(&a, &a), expected as f32);
            let mut sums = a.clone();
            add_multiple(2.0, &a, &mut sums);
            assert!(sums.iter().zip(&a).all(|(sum, a)| *sum == 3.0 * a));
            add_multiples([1.0, 2.0, 3.0, 4.0], [&a; 4], &mut sums);
            assert!(sums.iter().zip(&a).all(|(sum, a)| *sum == 13.0 * a));
        }
    }
}
