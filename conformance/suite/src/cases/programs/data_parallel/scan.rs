//! Prefix sums of more elements than one group holds, level by level.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Buffer, Local, Program, Session};

const COUNT: usize = 100_001;
const GROUP: usize = 64;
const BLOCK: usize = 2 * GROUP;

pub fn run(session: &Session) -> Result<()> {
    let values = Random::new(15).words(COUNT);
    let program = session.program(include_str!("scan.cl"), "")?;
    let there = session.buffer(&values)?;
    scan(session, &program, &there)?;
    let mut sum = 0u32;
    let expected: Vec<u32> = values
        .into_iter()
        .map(|value| {
            let before = sum;
            sum = sum.wrapping_add(value);
            before
        })
        .collect();
    equal("prefix sums", &session.read(&there)?, &expected)
}

fn scan(session: &Session, program: &Program, values: &Buffer<u32>) -> Result<()> {
    let blocks = values.len().div_ceil(BLOCK);
    let count = values.len() as u32;
    let sums = session.zeros::<u32>(blocks)?;
    let tree = Local::<u32>::new(BLOCK + BLOCK / 32);
    let arguments: [&dyn Argument; 4] = [values, &count, &sums, &tree];
    session.run(
        &program.kernel("scan_blocks")?,
        &[blocks * GROUP],
        &[GROUP],
        &arguments,
    )?;
    if blocks > 1 {
        scan(session, program, &sums)?;
        let arguments: [&dyn Argument; 4] = [values, &count, &sums, &(BLOCK as u32)];
        session.run(
            &program.kernel("add_sums")?,
            &[blocks * BLOCK],
            &[],
            &arguments,
        )?;
    }
    Ok(())
}
