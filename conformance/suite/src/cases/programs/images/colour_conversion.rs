//! Colours as luminance and two colour differences, in integers.

use crate::compare::{Tolerance, close, equal};
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;

const WIDTH: usize = 90;
const HEIGHT: usize = 52;

pub fn run(session: &Session) -> Result<()> {
    // Blocks of two by two pixels have one colour, so that the round trip loses little.
    let mut random = Random::new(52);
    let blocks: Vec<[u8; 3]> = (0..WIDTH * HEIGHT / 4)
        .map(|_| [0; 3].map(|_| random.bits() as u8))
        .collect();
    let picture: Vec<[u8; 3]> = (0..WIDTH * HEIGHT)
        .map(|place| blocks[place / WIDTH / 2 * (WIDTH / 2) + place % WIDTH / 2])
        .collect();
    let program = session.program(include_str!("colour_conversion.cl"), "")?;
    let rgb = session.buffer(&picture)?;
    let (y, cbcr) = (
        session.zeros::<u8>(picture.len())?,
        session.zeros::<[u8; 2]>(blocks.len())?,
    );
    let halves = &[WIDTH / 2, HEIGHT / 2];
    session.run(&program.kernel("to_ycc")?, halves, &[], &[&rgb, &y, &cbcr])?;
    let back = session.zeros::<[u8; 3]>(picture.len())?;
    session.run(
        &program.kernel("to_rgb")?,
        &[WIDTH, HEIGHT],
        &[],
        &[&y, &cbcr, &back],
    )?;

    // Integers are rounded by floor((sum + 128) / 256).
    let rounded =
        |sum: i32, offset: i32| ((sum + 128).div_euclid(256) + offset).clamp(0, 255) as u8;
    let weigh = |colour: &[u8; 3], weights: [i32; 3]| -> i32 {
        (0..3).map(|i| weights[i] * i32::from(colour[i])).sum()
    };
    let expected: Vec<u8> = picture
        .iter()
        .map(|colour| rounded(weigh(colour, [66, 129, 25]), 16))
        .collect();
    equal("brightness", &session.read(&y)?, &expected)?;
    let expected: Vec<[u8; 2]> = blocks
        .iter()
        .map(|colour| {
            [[-38, -74, 112], [112, -94, -18]].map(|weights| rounded(weigh(colour, weights), 128))
        })
        .collect();
    equal("colours", &session.read(&cbcr)?, &expected)?;
    // Each rounding of the three components weighs up to 516 / 256 and 298 / 256 there.
    let original: Vec<f64> = picture.concat().into_iter().map(f64::from).collect();
    close(
        "picture",
        &session.read(&back)?.concat(),
        &original,
        Tolerance::absolute(4.0),
    )
}
