//! Odd-even transposition sort; the number of rounds is compared as well.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Local, Session};

const LINES: usize = 30;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(64);
    let program = session.program(include_str!("odd_even_sort.cl"), "")?;
    let kernel = program.kernel("sort_lines")?;
    for length in [1, 2, 61, 130] {
        let mut lines = random.bytes(LINES * length);
        // One line is already sorted, and one is in descending order.
        lines[..length].sort_unstable();
        lines[length..2 * length].sort_unstable_by(|a, b| b.cmp(a));
        let there = session.buffer(&lines)?;
        let rounds = session.zeros::<u32>(LINES)?;
        let items = length.div_ceil(2);
        let line = Local::<u8>::new(length);
        let arguments: [&dyn Argument; 4] = [&there, &rounds, &line, &(length as u32)];
        session.run(&kernel, &[LINES * items], &[items], &arguments)?;
        let expected_rounds: Vec<u32> = lines
            .chunks_mut(length)
            .map(|line| {
                let mut rounds = 0;
                loop {
                    let before = line.to_vec();
                    for first in [0, 1] {
                        for pair in line[first.min(length)..].chunks_exact_mut(2) {
                            pair.sort_unstable();
                        }
                    }
                    rounds += 1;
                    if line == before {
                        return rounds;
                    }
                }
            })
            .collect();
        equal(
            &format!("lines of {length}"),
            &session.read(&there)?,
            &lines,
        )?;
        assert!(
            lines.chunks(length).all(<[u8]>::is_sorted),
            "the host's own sort"
        );
        equal("rounds", &session.read(&rounds)?, &expected_rounds)?;
    }
    Ok(())
}
