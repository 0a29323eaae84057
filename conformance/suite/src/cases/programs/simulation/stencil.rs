//! The heat equation on a grid that is no multiple of the tiles, against doubles.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WIDTH: usize = 200;
const HEIGHT: usize = 133;
const STEPS: usize = 25;
const TILE: [usize; 2] = [32, 4];
const RATE: f32 = 0.2;

pub fn run(session: &Session) -> Result<()> {
    let start = Random::new(5).floats(WIDTH * HEIGHT, 0.0, 100.0);
    let options = format!("-DTILE_X={} -DTILE_Y={}", TILE[0], TILE[1]);
    let program = session.program(include_str!("stencil.cl"), &options)?;
    let kernel = program.kernel("diffuse")?;
    let mut from = session.buffer(&start)?;
    let mut to = session.zeros::<f32>(start.len())?;
    let items = [
        WIDTH.next_multiple_of(TILE[0]),
        HEIGHT.next_multiple_of(TILE[1]),
    ];
    for _ in 0..STEPS {
        let (width, height) = (WIDTH as i32, HEIGHT as i32);
        let arguments: [&dyn Argument; 5] = [&from, &to, &width, &height, &RATE];
        session.run(&kernel, &items, &TILE, &arguments)?;
        std::mem::swap(&mut from, &mut to);
    }

    let mut expected: Vec<f64> = start.iter().map(|&heat| f64::from(heat)).collect();
    for _ in 0..STEPS {
        let before = expected.clone();
        // Heat flows through the edge between two neighbours.
        let mut flow = |a: usize, b: usize| {
            let moved = f64::from(RATE) * (before[b] - before[a]);
            expected[a] += moved;
            expected[b] -= moved;
        };
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let here = y * WIDTH + x;
                if x + 1 < WIDTH {
                    flow(here, here + 1);
                }
                if y + 1 < HEIGHT {
                    flow(here, here + WIDTH);
                }
            }
        }
    }
    // Some six roundings a step of values up to 400, the sum of the neighbours; a step
    // averages, so errors do not grow: 25 * 6 * 0.2 * 400 * 2^-24 = 7e-4.
    close(
        "heat",
        &session.read(&from)?,
        &expected,
        Tolerance::absolute(7e-4),
    )
}
