//! Exclusive prefix sums with barriers in nested function calls.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Argument, Local, Session};

const LOCAL: usize = 64;
/// Size of a block: eight elements per work-item.
const BLOCK: usize = 8 * LOCAL;

/// Scans blocks, then their sums, and adds the sums to the blocks.
pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("flatten_barrier_subs.cl"), "")?;
    let scan_blocks = program.kernel("scan_blocks")?;
    let scan = program.kernel("scan")?;
    let add_sums = program.kernel("add_sums")?;
    let mut random = session.random();
    for length in [1, 7, 8, 511, 512, 513, 5000, BLOCK * BLOCK / 8 + 3] {
        let blocks = length.div_ceil(BLOCK);
        let mut input: Vec<i32> = (0..length).map(|_| random.word() as i32).collect();
        // Kernels load vectors of four, so the buffer is padded for the last one.
        input.resize(length.next_multiple_of(4), -1);
        let there = session.buffer(&input)?;
        let out = session.buffer(&vec![7; input.len()])?;
        let sums = session.buffer(&vec![5; blocks.next_multiple_of(4)])?;
        let (length_there, blocks_there) = (length as u32, blocks as u32);
        let shared = Local::<i32>::new(LOCAL);
        let arguments: [&dyn Argument; 5] = [&there, &out, &length_there, &sums, &shared];
        session.run(&scan_blocks, &[blocks * LOCAL], &[LOCAL], &arguments)?;
        session.run(&scan, &[LOCAL], &[LOCAL], &[&sums, &blocks_there, &shared])?;
        session.run(
            &add_sums,
            &[blocks * LOCAL],
            &[LOCAL],
            &[&sums, &out, &length_there],
        )?;
        let mut sum = 0i32;
        let mut expected: Vec<i32> = input[..length]
            .iter()
            .map(|&number| {
                let before = sum;
                sum = sum.wrapping_add(number);
                before
            })
            .collect();
        // The padding must not change.
        expected.resize(input.len(), 7);
        equal(
            &format!("{length} elements"),
            &session.read(&out)?,
            &expected,
        )?;
    }
    Ok(())
}
