//! Bitonic sorting: many short launches, or few with local memory.

use super::{Case, Category, source};
use crate::opencl::{Buffer, Session};
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "bitonic-launches",
        what: "1 Mi keys, 210 launches",
        category: Category::Kernel,
        measure: |mode| sort(mode, steps),
    },
    Case {
        name: "bitonic-local",
        what: "1 Mi keys, blocks of 512 in local memory, 78 launches",
        category: Category::Kernel,
        measure: |mode| sort(mode, blocks),
    },
];

/// Sorts the keys in a buffer.
type Sort<'a> = Box<dyn Fn(&Buffer<u32>, usize) -> Result<()> + 'a>;

fn sort(mode: Mode, sorter: fn(&Session) -> Result<Sort<'_>>) -> Result<Measurement> {
    let count = mode.size(1 << 20, 1 << 12);
    let session = Session::open()?;
    let sort = sorter(&session)?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut keys: Vec<u32> = (0..count).map(|_| random.u32(..)).collect();
    let buffer = session.buffer(&keys)?;
    let time = mode.time_after(
        || session.write(&buffer, &keys),
        || {
            sort(&buffer, count)?;
            session.finish()
        },
    )?;
    keys.sort_unstable();
    ensure!(session.read(&buffer)? == keys, "not sorted");
    Ok(time)
}

/// The powers of two from `first` to `last`.
fn powers(first: usize, last: usize) -> impl DoubleEndedIterator<Item = usize> {
    (first.ilog2()..=last.ilog2()).map(|power| 1 << power)
}

fn steps(session: &Session) -> Result<Sort<'_>> {
    let step = session.kernel(source!("bitonic.cl"), "bitonic_step")?;
    Ok(Box::new(move |keys, count| {
        for length in powers(2, count) {
            for stride in powers(1, length / 2).rev() {
                step.set(&[keys, &(stride as u32), &(length as u32)])?;
                session.enqueue(&step, &[count / 2], Some(&[256]))?;
            }
        }
        Ok(())
    }))
}

fn blocks(session: &Session) -> Result<Sort<'_>> {
    const BLOCK: usize = 512;
    let program = session.program(source!("bitonic.cl"), "")?;
    let step = program.kernel("bitonic_step")?;
    let sort_blocks = program.kernel("bitonic_sort_blocks")?;
    let merge_blocks = program.kernel("bitonic_merge_blocks")?;
    Ok(Box::new(move |keys, count| {
        let launch = |kernel| session.enqueue(kernel, &[count / 2], Some(&[BLOCK / 2]));
        sort_blocks.set(&[keys])?;
        launch(&sort_blocks)?;
        for length in powers(2 * BLOCK, count) {
            for stride in powers(BLOCK, length / 2).rev() {
                step.set(&[keys, &(stride as u32), &(length as u32)])?;
                launch(&step)?;
            }
            merge_blocks.set(&[keys, &(length as u32)])?;
            launch(&merge_blocks)?;
        }
        Ok(())
    }))
}
