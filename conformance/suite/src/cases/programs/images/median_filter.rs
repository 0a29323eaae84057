//! The median of each pixel's surroundings, by sorting them.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WIDTH: usize = 16 * 9;
const HEIGHT: usize = 70;
/// Pixels of a line, with 16 additional ones at each side.
const PITCH: usize = WIDTH + 32;

pub fn run(session: &Session) -> Result<()> {
    // The picture has an additional line at the top and at the bottom.
    let picture = Random::new(51).bytes(PITCH * (HEIGHT + 2));
    let program = session.program(include_str!("median_filter.cl"), "")?;
    let (from, to) = (
        session.buffer(&picture)?,
        session.zeros::<u8>(WIDTH * HEIGHT)?,
    );
    let arguments: [&dyn Argument; 3] = [&from, &(PITCH as u32), &to];
    session.run(
        &program.kernel("median")?,
        &[WIDTH / 16, HEIGHT],
        &[3, 5],
        &arguments,
    )?;
    let expected: Vec<u8> = (0..WIDTH * HEIGHT)
        .map(|place| {
            let corner = place / WIDTH * PITCH + place % WIDTH + 15;
            let mut around: [u8; 9] =
                std::array::from_fn(|i| picture[corner + i / 3 * PITCH + i % 3]);
            around.sort_unstable();
            around[4]
        })
        .collect();
    equal("medians", &session.read(&to)?, &expected)
}
