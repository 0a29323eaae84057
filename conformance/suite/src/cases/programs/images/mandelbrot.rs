//! The Mandelbrot set in doubles: IEEE 754 arithmetic gives the same counts everywhere.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Argument, Session};

const WIDTH: usize = 203;
const HEIGHT: usize = 90;
const LIMIT: u16 = 300;
const LEFT: f64 = -2.2;
const TOP: f64 = -1.1;
const STEP: f64 = 0.015;

pub fn run(session: &Session) -> Result<()> {
    let options = format!("-D LIMIT={LIMIT}");
    let program = session.program(include_str!("mandelbrot.cl"), &options)?;
    let counts = session.zeros::<u16>(WIDTH * HEIGHT)?;
    let arguments: [&dyn Argument; 5] = [&counts, &LEFT, &TOP, &STEP, &(WIDTH as u32)];
    let items = &[WIDTH.div_ceil(4), HEIGHT];
    session.run(&program.kernel("mandelbrot")?, items, &[], &arguments)?;
    let count = |place: usize| -> u16 {
        let re = LEFT + STEP * (place % WIDTH) as f64;
        let im = TOP + STEP * (place / WIDTH) as f64;
        let (mut a, mut b) = (0.0, 0.0);
        for count in 0..LIMIT {
            if a * a + b * b > 4.0 {
                return count;
            }
            (a, b) = (a * a - b * b + re, 2.0 * (a * b) + im);
        }
        LIMIT
    };
    let expected: Vec<u16> = (0..WIDTH * HEIGHT).map(count).collect();
    equal("counts", &session.read(&counts)?, &expected)
}
