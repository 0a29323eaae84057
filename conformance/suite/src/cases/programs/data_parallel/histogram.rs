//! A histogram of bytes.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const COUNT: usize = 200_003;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(14);
    // The minimum of two random bytes gives an uneven distribution.
    let bytes: Vec<u8> = (0..COUNT)
        .map(|_| random.below(250).min(random.below(250)) as u8)
        .collect();
    let program = session.program(include_str!("histogram.cl"), "")?;
    let kernel = program.kernel("histogram")?;
    let there = session.buffer(&bytes)?;
    let bins = session.zeros::<u32>(256)?;
    let arguments: [&dyn Argument; 3] = [&there, &(COUNT as u32), &bins];
    session.run(&kernel, &[48 * 50], &[48], &arguments)?;
    let mut expected = vec![0u32; 256];
    for byte in bytes {
        expected[usize::from(byte)] += 1;
    }
    equal("bins", &session.read(&bins)?, &expected)
}
