//! Sparse matrix times vector against the same product from a list of (row, column, value).

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const ROWS: usize = 1500;
const COLUMNS: u32 = 1200;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(4);
    let mut triples = Vec::new();
    let mut starts = vec![0u32];
    for row in 0..ROWS {
        // Empty rows, short ones, and a few that are much longer than a group.
        let entries = match row % 100 {
            0 => 0,
            1 => 500,
            _ => random.below(70),
        };
        for _ in 0..entries {
            triples.push((row, random.below(COLUMNS), random.double(-1.0, 1.0)));
        }
        starts.push(triples.len() as u32);
    }
    let x: Vec<f64> = (0..COLUMNS).map(|_| random.double(-1.0, 1.0)).collect();
    let columns: Vec<u32> = triples.iter().map(|triple| triple.1).collect();
    let values: Vec<f64> = triples.iter().map(|triple| triple.2).collect();
    let mut expected = vec![0.0; ROWS];
    for &(row, column, value) in &triples {
        expected[row] += value * x[column as usize];
    }

    let program = session.program(include_str!("spmv.cl"), "")?;
    let (starts, columns) = (session.buffer(&starts)?, session.buffer(&columns)?);
    let (values, x) = (session.buffer(&values)?, session.buffer(&x)?);
    let launches: [(&str, usize, &[usize]); 2] =
        [("by_item", 2048, &[]), ("by_group", 64 * 32, &[32])];
    for (name, items, group) in launches {
        let y = session.zeros::<f64>(ROWS)?;
        let arguments: [&dyn Argument; 6] = [&starts, &columns, &values, &x, &y, &(ROWS as u32)];
        session.run(&program.kernel(name)?, &[items], group, &arguments)?;
        // Up to 500 products below 1 in another order: 500 roundings of sums that stay
        // below 64, 500 * 64 * 2^-53 = 4e-12.
        close(
            name,
            &session.read(&y)?,
            &expected,
            Tolerance::absolute(4e-12),
        )?;
    }
    Ok(())
}
