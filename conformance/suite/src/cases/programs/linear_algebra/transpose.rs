//! Matrix transposition of elements of several sizes, chosen by a build option.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WIDTH: usize = 150;
const HEIGHT: usize = 97;

pub fn run(session: &Session) -> Result<()> {
    for (name, bytes) in [("uchar", 1), ("short2", 4), ("ulong", 8), ("float8", 32)] {
        let from = Random::new(22).bytes(WIDTH * HEIGHT * bytes);
        let options = format!("-DTYPE={name} -DTILE=16 -DROWS=4");
        let program = session.program(include_str!("transpose.cl"), &options)?;
        let there = session.buffer(&from)?;
        let to = session.zeros::<u8>(from.len())?;
        let arguments: [&dyn Argument; 4] = [&there, &to, &(WIDTH as u32), &(HEIGHT as u32)];
        let items = [WIDTH.next_multiple_of(16), HEIGHT.div_ceil(16) * 4];
        session.run(&program.kernel("transpose")?, &items, &[16, 4], &arguments)?;
        let mut expected = Vec::with_capacity(from.len());
        for x in 0..WIDTH {
            for y in 0..HEIGHT {
                expected.extend(&from[(y * WIDTH + x) * bytes..][..bytes]);
            }
        }
        equal(name, &session.read(&to)?, &expected)?;
    }
    Ok(())
}
