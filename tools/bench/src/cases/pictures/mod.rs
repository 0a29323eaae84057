//! Pictures in buffers: bytes and short loops over neighbours.

mod blocks;
mod canny;
mod colours;
mod filters;

pub use blocks::CASES as BLOCKS;
pub use canny::CASES as CANNY;
pub use colours::CASES as COLOURS;
pub use filters::CASES as FILTERS;

use super::{Case, Category, ensure_each, ensure_each_close, floats, source};

/// Random bytes.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    fastrand::Rng::with_seed(seed).fill(&mut bytes);
    bytes
}

/// Random bytes of which neighbours in a picture differ little, as a photograph's.
fn smooth_bytes(seed: u64, width: usize, height: usize) -> Vec<u8> {
    let noise = bytes(seed, width * height);
    let wave = |i: usize, period: usize| (i % period).abs_diff(period / 2) * 100 / period;
    (0..width * height)
        .map(|i| {
            let (x, y) = (i % width, i / width);
            (wave(x + y / 3, 97) + wave(y, 61) + wave(x * y / 64, 151)) as u8 + noise[i] % 32
        })
        .collect()
}
