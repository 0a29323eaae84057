//! Groups that take their tasks from a counter.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Argument, Session};

const TASKS: usize = 60;
const RANGE: u32 = 300;

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("work_queue.cl"), "")?;
    let (next, done) = (session.zeros::<u32>(1)?, session.zeros::<u32>(1)?);
    let results = session.zeros::<[u32; 2]>(TASKS)?;
    let arguments: [&dyn Argument; 5] = [&next, &(TASKS as u32), &RANGE, &results, &done];
    session.run(&program.kernel("collatz")?, &[16 * 40], &[40], &arguments)?;
    let expected: Vec<[u32; 2]> = (0..TASKS as u32)
        .map(|task| {
            let numbers = task * RANGE..(task + 1) * RANGE;
            let mut best = [0, 0];
            for start in numbers {
                let (mut n, mut length) = (u64::from(start.max(1)), 0);
                while n > 1 {
                    n = if n.is_multiple_of(2) {
                        n / 2
                    } else {
                        3 * n + 1
                    };
                    length += 1;
                }
                if length > best[0] {
                    best = [length, start];
                }
            }
            best
        })
        .collect();
    equal("longest sequences", &session.read(&results)?, &expected)?;
    equal("tasks done", &session.read(&done)?, &[TASKS as u32])?;
    // At its end, each group takes a number beyond the last task.
    equal("tasks taken", &session.read(&next)?, &[TASKS as u32 + 16])
}
