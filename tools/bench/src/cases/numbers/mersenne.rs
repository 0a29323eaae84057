//! Private arrays that are indexed at run time.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "mersenne",
    what: "8192 twisters of 19 words, 512 numbers each",
    category: Category::Kernel,
    measure: mersenne,
}];

fn mersenne(mode: Mode) -> Result<Measurement> {
    let (items, count) = (mode.size(8192, 128), mode.size(512, 64));
    let session = Session::open()?;
    let kernel = session.kernel(source!("numbers/mersenne.cl"), "mersenne")?;
    let mut random = fastrand::Rng::with_seed(1);
    let parameters: Vec<[u32; 4]> = (0..items)
        .map(|_| std::array::from_fn(|_| random.u32(..)))
        .collect();
    let buffer = session.buffer(&parameters)?;
    let numbers = session.unwritten::<u32>(items * count)?;
    kernel.set(&[&buffer, &numbers, &(count as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[items], Some(&[128])))?;
    let numbers = session.read(&numbers)?;
    for item in (0..items).step_by(mode.size(7, 1)) {
        let own = numbers[item..].iter().step_by(items);
        let right = own.copied().eq(twister(parameters[item]).take(count));
        ensure!(right, "wrong numbers of work-item {item}");
    }
    Ok(time)
}

/// The numbers of one twister.
fn twister([matrix, mask_b, mask_c, seed]: [u32; 4]) -> impl Iterator<Item = u32> {
    const WORDS: usize = 19;
    let mut state = [seed; WORDS];
    for i in 1..WORDS {
        let before = state[i - 1] ^ (state[i - 1] >> 30);
        state[i] = before.wrapping_mul(1_812_433_253).wrapping_add(i as u32);
    }
    (0..WORDS).cycle().map(move |now| {
        let x = (state[now] & !1) | (state[(now + 1) % WORDS] & 1);
        let mut x = state[(now + 9) % WORDS] ^ (x >> 1) ^ (matrix * (x & 1));
        state[now] = x;
        x ^= x >> 12;
        x ^= (x << 7) & mask_b;
        x ^= (x << 15) & mask_c;
        x ^ (x >> 18)
    })
}
