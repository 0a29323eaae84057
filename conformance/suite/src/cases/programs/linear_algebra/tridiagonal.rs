//! Tridiagonal systems whose solutions are known.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Local, Session};

const SYSTEMS: usize = 25;

/// Below, on and above the diagonal, and the right side.
type Row = [f64; 4];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(65);
    let program = session.program(include_str!("tridiagonal.cl"), "")?;
    let kernel = program.kernel("solve")?;
    for rows in [1, 7, 64, 150] {
        let count = SYSTEMS * rows;
        let solution: Vec<f64> = (0..count).map(|_| random.double(-1.0, 1.0)).collect();
        let system: Vec<Row> = (0..count)
            .map(|place| {
                let row = place % rows;
                let below = if row == 0 {
                    0.0
                } else {
                    random.double(-1.0, 1.0)
                };
                let above = if row + 1 == rows {
                    0.0
                } else {
                    random.double(-1.0, 1.0)
                };
                let diagonal = random.double(2.5, 4.0);
                let before = if row == 0 { 0.0 } else { solution[place - 1] };
                let next = if row + 1 == rows {
                    0.0
                } else {
                    solution[place + 1]
                };
                let right = below * before + diagonal * solution[place] + above * next;
                [below, diagonal, above, right]
            })
            .collect();
        let there = session.buffer(&system)?;
        let got = session.zeros::<f64>(count)?;
        let arguments: [&dyn Argument; 3] = [&there, &got, &Local::<Row>::new(rows)];
        session.run(&kernel, &[count], &[rows], &arguments)?;
        // The diagonal dominates: few roundings of numbers below 8 matter, and dividing
        // by at least 1/2 makes them at most twice as large in each of 8 steps.
        let what = format!("systems of {rows}");
        close(
            &what,
            &session.read(&got)?,
            &solution,
            Tolerance::absolute(1e-13),
        )?;
    }
    Ok(())
}
