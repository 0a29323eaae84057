//! The host's peak rates, measured next to the cases: memory bandwidth with the triad of McCalpin's
//! STREAM, and floating-point operations with FMAs on registers.

use crate::statistics::median;
use crate::timing::Work;
use std::arch::x86_64::*;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

impl Work {
    /// The host's rate with all threads, per second.
    pub fn limit(self) -> f64 {
        match self {
            Self::Bytes(_) => bandwidth(),
            Self::Float(_) => arithmetic(float_loop()),
            Self::Double(_) => arithmetic(double_loop()),
        }
    }

    /// The amount, in bytes or operations.
    pub fn amount(self) -> f64 {
        let (Self::Bytes(amount) | Self::Float(amount) | Self::Double(amount)) = self;
        amount
    }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get())
}

/// Elements per array: 64 MB, more than the caches hold.
const ELEMENTS: usize = 16 << 20;

/// Number of sweeps over the arrays; the result is their median.
const SWEEPS: usize = 31;

/// Stores `a + 3 b` in `c`, the last argument.
type Triad = fn(&[f32], &[f32], &mut [f32]);

/// Bytes per second of `c = a + 3 b` on huge pages, with ordinary or with the widest non-temporal stores, whichever
/// is faster here.
fn bandwidth() -> f64 {
    let ordinary = sweeps(|a, b, c| {
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            *c = a + 3.0 * b;
        }
    });
    let past_caches: Triad = if is_x86_feature_detected!("avx512f") {
        past_caches_512
    } else if is_x86_feature_detected!("avx") {
        past_caches_256
    } else {
        past_caches_128
    };
    ordinary.max(sweeps(past_caches))
}

/// Bytes per second that all threads together read and write.
fn sweeps(triad: Triad) -> f64 {
    let part = ELEMENTS / threads();
    let barrier = Barrier::new(threads());
    let samples: Vec<Vec<f64>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads())
            .map(|_| {
                scope.spawn(|| {
                    // Each thread touches its own memory first.
                    let (a, b, mut c) = (array(part, 1.0), array(part, 2.0), array(part, 0.5));
                    (0..SWEEPS)
                        .map(|_| {
                            barrier.wait();
                            let start = Instant::now();
                            triad(&a, &b, black_box(&mut c));
                            barrier.wait();
                            start.elapsed().as_secs_f64()
                        })
                        .collect()
                })
            })
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .collect()
    });
    let bytes = 3 * size_of::<f32>() * part * threads();
    let seconds = samples.first().and_then(|samples| median(samples));
    bytes as f64 / seconds.unwrap_or(f64::NAN)
}

/// An array in huge pages, where the host has some.
fn array(length: usize, value: f32) -> Vec<f32> {
    const PAGE: usize = 4096;
    let mut array: Vec<f32> = Vec::with_capacity(length);
    let start = array.as_ptr().addr().next_multiple_of(PAGE);
    let bytes = (length * size_of::<f32>()).saturating_sub(2 * PAGE) / PAGE * PAGE;
    // SAFETY: these pages are within the allocation, and the advice does not change what they hold. It may
    // be refused.
    unsafe {
        libc::madvise(
            std::ptr::with_exposed_provenance_mut(start),
            bytes,
            libc::MADV_HUGEPAGE,
        )
    };
    array.resize(length, value);
    array
}

/// The triad with non-temporal stores of vectors, from what broadcasts, loads, multiplies, adds and stores them.
macro_rules! past_caches {
    ($name:ident, $features:literal, $vector:ty, [$splat:ident, $load:ident, $product:ident, $sum:ident, $stream:ident]) => {
        fn $name(a: &[f32], b: &[f32], c: &mut [f32]) {
            #[target_feature(enable = $features)]
            fn run(a: &[f32], b: &[f32], c: &mut [f32]) {
                const LANES: usize = size_of::<$vector>() / size_of::<f32>();
                // Elements before the first aligned one.
                let ahead = c.as_ptr().align_offset(size_of::<$vector>()).min(c.len());
                for i in 0..ahead {
                    c[i] = a[i] + 3.0 * b[i];
                }
                let vectors = a[ahead..]
                    .chunks_exact(LANES)
                    .zip(b[ahead..].chunks_exact(LANES))
                    .zip(c[ahead..].chunks_exact_mut(LANES));
                let three = $splat(3.0);
                for ((a, b), c) in vectors {
                    // SAFETY: each chunk has the vector's elements, and those of c are aligned.
                    unsafe {
                        let sum = $sum($load(a.as_ptr()), $product(three, $load(b.as_ptr())));
                        $stream(c.as_mut_ptr().cast(), sum);
                    }
                }
                _mm_sfence();
                let done = ahead + (c.len() - ahead) / LANES * LANES;
                for i in done..c.len() {
                    c[i] = a[i] + 3.0 * b[i];
                }
            }
            // SAFETY: the caller has detected the features.
            unsafe { run(a, b, c) };
        }
    };
}

past_caches!(
    past_caches_512,
    "avx512f",
    __m512,
    [
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_mul_ps,
        _mm512_add_ps,
        _mm512_stream_ps
    ]
);
past_caches!(
    past_caches_256,
    "avx",
    __m256,
    [
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_mul_ps,
        _mm256_add_ps,
        _mm256_stream_ps
    ]
);
past_caches!(
    past_caches_128,
    "sse2",
    __m128,
    [
        _mm_set1_ps,
        _mm_loadu_ps,
        _mm_mul_ps,
        _mm_add_ps,
        _mm_stream_ps
    ]
);

/// Iterations of one loop over the registers.
const ROUNDS: usize = 1 << 20;

/// Independent accumulators: enough for two FMAs per cycle with a latency of four or five cycles.
const REGISTERS: usize = 12;

/// A loop of `ROUNDS` iterations, and its number of operations.
struct Loop {
    run: fn() -> f64,
    operations: f64,
}

/// Operations per second of all threads.
fn arithmetic(of: Loop) -> f64 {
    let barrier = Barrier::new(threads());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads())
            .map(|_| {
                scope.spawn(|| {
                    // The processor needs some time to raise its clock for wide vectors.
                    black_box((of.run)());
                    barrier.wait();
                    let start = Instant::now();
                    black_box((of.run)());
                    of.operations / start.elapsed().as_secs_f64()
                })
            })
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .sum()
    })
}

/// A function for such a loop, from vectors and what makes, multiplies-and-adds and adds them.
macro_rules! fma_loop {
    ($name:ident, $features:literal, $element:ty, $vector:ty, [$splat:ident, $fma:ident, $add:ident]) => {
        fn $name() -> Loop {
            #[target_feature(enable = $features)]
            fn run() -> $vector {
                let (a, b) = ($splat(black_box(0.999)), $splat(black_box(0.001)));
                let mut registers = [$splat(black_box(1.0)); REGISTERS];
                for _ in 0..ROUNDS {
                    for register in &mut registers {
                        *register = $fma(*register, a, b);
                    }
                }
                let mut sum = registers[0];
                for register in &registers[1..] {
                    sum = $add(sum, *register);
                }
                sum
            }
            const LANES: usize = size_of::<$vector>() / size_of::<$element>();
            Loop {
                run: || {
                    // SAFETY: the caller has detected the features; any bits are floats.
                    let lanes: [$element; LANES] = unsafe { std::mem::transmute(run()) };
                    f64::from(lanes[0])
                },
                operations: (2 * ROUNDS * REGISTERS * LANES) as f64,
            }
        }
    };
}

fma_loop!(
    float_512,
    "avx512f",
    f32,
    __m512,
    [_mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps]
);
fma_loop!(
    double_512,
    "avx512f",
    f64,
    __m512d,
    [_mm512_set1_pd, _mm512_fmadd_pd, _mm512_add_pd]
);
fma_loop!(
    float_256,
    "avx,fma",
    f32,
    __m256,
    [_mm256_set1_ps, _mm256_fmadd_ps, _mm256_add_ps]
);
fma_loop!(
    double_256,
    "avx,fma",
    f64,
    __m256d,
    [_mm256_set1_pd, _mm256_fmadd_pd, _mm256_add_pd]
);
fma_loop!(
    float_128,
    "sse2",
    f32,
    __m128,
    [_mm_set1_ps, float_product_and_sum, _mm_add_ps]
);
fma_loop!(
    double_128,
    "sse2",
    f64,
    __m128d,
    [_mm_set1_pd, double_product_and_sum, _mm_add_pd]
);

#[target_feature(enable = "sse2")]
fn float_product_and_sum(a: __m128, b: __m128, c: __m128) -> __m128 {
    _mm_add_ps(_mm_mul_ps(a, b), c)
}

#[target_feature(enable = "sse2")]
fn double_product_and_sum(a: __m128d, b: __m128d, c: __m128d) -> __m128d {
    _mm_add_pd(_mm_mul_pd(a, b), c)
}

fn float_loop() -> Loop {
    if is_x86_feature_detected!("avx512f") {
        float_512()
    } else if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") {
        float_256()
    } else {
        float_128()
    }
}

fn double_loop() -> Loop {
    if is_x86_feature_detected!("avx512f") {
        double_512()
    } else if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") {
        double_256()
    } else {
        double_128()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_stores_write_the_same() {
        let mut kinds: Vec<Triad> = vec![past_caches_128];
        if is_x86_feature_detected!("avx512f") {
            kinds.push(past_caches_512);
        }
        if is_x86_feature_detected!("avx") {
            kinds.push(past_caches_256);
        }
        for past_caches in kinds {
            // Unaligned beginnings and ends.
            for start in 0..17 {
                let a: Vec<f32> = (0..103).map(|i| i as f32).collect();
                let mut c = vec![-1.0; 103];
                past_caches(&a[start..], &a[start..], &mut c[start..]);
                let expected = (0..103).map(|i| if i < start { -1.0 } else { 4.0 * i as f32 });
                assert!(c.iter().copied().eq(expected), "{start}: {c:?}");
            }
        }
    }

    #[test]
    fn registers_hold_what_the_operations_make() {
        // Near the limit of c = 0.999 c + 0.001.
        for sum in [(float_loop().run)(), (double_loop().run)()] {
            assert!((sum - REGISTERS as f64).abs() < 0.01, "{sum}");
        }
    }
}
