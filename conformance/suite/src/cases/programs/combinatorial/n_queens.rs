//! N queens, per place of the first two.

use crate::compare::equal;
use anyhow::Result;
use harness::session::Session;

const N: usize = 9;
/// Known number of all ways for 9 queens (OEIS A000170).
const ALL: u32 = 352;

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("n_queens.cl"), &format!("-DN={N}"))?;
    let ways = session.zeros::<u32>(N * N)?;
    session.run(&program.kernel("n_queens")?, &[N, N], &[], &[&ways])?;
    let got = session.read(&ways)?;
    equal("all ways", &[got.iter().sum::<u32>()], &[ALL])?;
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
    equal("ways", &got, &expected)
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
    let mut ways = 0;
    for column in 0..N {
        if fits(queens, column) {
            queens.push(column);
            ways += count(queens);
            queens.pop();
        }
    }
    ways
}
