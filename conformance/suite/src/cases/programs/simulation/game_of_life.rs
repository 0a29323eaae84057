//! Conway's game of life, compared with a simulation of single cells.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WORDS: usize = 4;
const WIDTH: usize = 32 * WORDS;
const HEIGHT: usize = 100;
const GENERATIONS: usize = 30;
/// Number of rows of the first launch.
const PART: usize = 36;

pub fn run(session: &Session) -> Result<()> {
    let start = Random::new(24).words(WORDS * HEIGHT);
    let program = session.program(include_str!("game_of_life.cl"), "")?;
    let generation = program.kernel("generation")?;
    let mut from = session.buffer(&start)?;
    let mut to = session.zeros::<u32>(start.len())?;
    for _ in 0..GENERATIONS {
        let arguments: [&dyn Argument; 4] = [&from, &to, &(WORDS as u32), &(HEIGHT as u32)];
        session.run(&generation, &[WORDS, PART], &[WORDS, 4], &arguments)?;
        let rest = [WORDS, HEIGHT - PART];
        session.run_from(&generation, &[0, PART], &rest, &[], &arguments)?;
        std::mem::swap(&mut from, &mut to);
    }
    let count = session.zeros::<u32>(1)?;
    session.run(
        &program.kernel("count_cells")?,
        &[start.len()],
        &[],
        &[&from, &count],
    )?;

    let bit = |place: usize| start[place / 32] >> (place % 32) & 1;
    let mut cells: Vec<u32> = (0..WIDTH * HEIGHT).map(bit).collect();
    for _ in 0..GENERATIONS {
        let at = |x: usize, y: usize| cells[y % HEIGHT * WIDTH + x % WIDTH];
        let next = |place: usize| {
            let (x, y) = (place % WIDTH, place / WIDTH);
            let block = (0..9).map(|i| at(x + WIDTH - 1 + i % 3, y + HEIGHT - 1 + i / 3));
            let neighbours = block.sum::<u32>() - at(x, y);
            u32::from(neighbours == 3 || (neighbours == 2 && at(x, y) == 1))
        };
        cells = (0..WIDTH * HEIGHT).map(next).collect();
    }
    let words: Vec<u32> = cells
        .chunks(32)
        .map(|bits| bits.iter().rev().fold(0, |word, bit| word << 1 | bit))
        .collect();
    equal("cells", &session.read(&from)?, &words)?;
    equal(
        "number of cells",
        &session.read(&count)?,
        &[cells.iter().sum()],
    )
}
