//! N queens: the number of solutions for each position of the first two queens.

use crate::compare::equal;
use anyhow::Result;
use harness::session::Session;

const N: usize = 9;
/// Number of solutions for 9 queens (OEIS A000170).
const ALL: u32 = 352;

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("n_queens.cl"), &format!("-DN={N}"))?;
    let solutions = session.zeros::<u32>(N * N)?;
    session.run(&program.kernel("n_queens")?, &[N, N], &[], &[&solutions])?;
    let got = session.read(&solutions)?;
    equal("all solutions", &[got.iter().sum::<u32>()], &[ALL])?;
    let mut expected = Vec::new();
    for second in 0..N {
        for first in 0..N {
            let mut queens = vec![first];
            expected.push(if fits(&queens, second) {
                queens.push(second);
                count(&mut queens)
            } else {
                0
            });
        }
    }
    equal("solutions", &got, &expected)
}

fn fits(queens: &[usize], column: usize) -> bool {
    let row = queens.len();
    let mut above = queens.iter().enumerate();
    above.all(|(other, &taken)| taken != column && taken.abs_diff(column) != row - other)
}

fn count(queens: &mut Vec<usize>) -> u32 {
    if queens.len() == N {
        return 1;
    }
    let mut solutions = 0;
    for column in 0..N {
        if fits(queens, column) {
            queens.push(column);
            solutions += count(queens);
            queens.pop();
        }
    }
    solutions
}
