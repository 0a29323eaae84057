//! Prefix sums.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "scan",
    what: "16 Mi uints, trees of 512 in local memory, 5 launches",
    category: Category::Kernel,
    measure: scan,
}];

const BLOCK: usize = 512;

fn scan(mode: Mode) -> Result<Measurement> {
    let count: usize = mode.size(16 << 20, 1 << 12);
    let session = Session::open()?;
    let program = session.program(source!("scan.cl"), "")?;
    let mut random = fastrand::Rng::with_seed(1);
    let values: Vec<u32> = (0..count).map(|_| random.u32(..1000)).collect();
    // Elements, sums of their blocks, sums of the blocks of sums, and so on to one sum.
    let mut counts = vec![count];
    while let Some(last) = counts.last().filter(|last| **last > 1) {
        counts.push(last.div_ceil(BLOCK));
    }
    let room = |count: &usize| count.next_multiple_of(BLOCK);
    let buffers = counts
        .iter()
        .map(|count| session.buffer(&vec![0u32; room(count)]))
        .collect::<Result<Vec<_>>>()?;
    let mut kernels = Vec::new();
    for level in buffers.windows(2) {
        let (scan, add) = (program.kernel("scan_blocks")?, program.kernel("add_sums")?);
        scan.set(&[&level[0], &level[1]])?;
        add.set(&[&level[0], &level[1]])?;
        kernels.push((scan, add));
    }
    let launch =
        |kernel, level: usize| session.enqueue(kernel, &[room(&counts[level]) / 2], Some(&[256]));
    let time = mode.time_after(
        || session.write(&buffers[0], &values),
        || {
            for (level, (scan, _)) in kernels.iter().enumerate() {
                launch(scan, level)?;
            }
            // The last level has one block, whose offset is 0.
            for (level, (_, add)) in kernels.iter().enumerate().rev().skip(1) {
                launch(add, level)?;
            }
            session.finish()
        },
    )?;
    let mut sum = 0u32;
    for (value, before) in values.iter().zip(session.read(&buffers[0])?) {
        ensure!(before == sum, "wrong sums");
        sum = sum.wrapping_add(*value);
    }
    Ok(time)
}
