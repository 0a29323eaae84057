//! The 0/1 knapsack by dynamic programming, against branch and bound.

use crate::compare::equal;
use anyhow::{Result, ensure};
use harness::random::Random;
use harness::session::{Argument, Session};

const THINGS: usize = 40;
/// Number of capacities; the largest is one less.
const CAPACITIES: usize = 4096;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(32);
    let weights: Vec<u32> = (0..THINGS).map(|_| 50 + random.below(400)).collect();
    let values: Vec<u32> = weights
        .iter()
        .map(|&weight| weight + random.below(300))
        .collect();
    let program = session.program(include_str!("knapsack.cl"), "")?;
    let (consider, choose) = (program.kernel("consider")?, program.kernel("choose")?);
    let mut before = session.zeros::<u32>(CAPACITIES)?;
    let mut after = session.zeros::<u32>(CAPACITIES)?;
    let taken = session.zeros::<u32>(THINGS * CAPACITIES / 32)?;
    for (row, (weight, value)) in weights.iter().zip(&values).enumerate() {
        let row = row as u32;
        let arguments: [&dyn Argument; 6] = [&before, &after, &taken, &row, weight, value];
        session.run(&consider, &[CAPACITIES], &[], &arguments)?;
        std::mem::swap(&mut before, &mut after);
    }
    let (weights_there, chosen) = (session.buffer(&weights)?, session.zeros::<u32>(THINGS)?);
    let (things, words) = (THINGS as u32, CAPACITIES as u32 / 32);
    let arguments: [&dyn Argument; 5] = [&taken, &weights_there, &things, &words, &chosen];
    session.run(&choose, &[1], &[1], &arguments)?;

    let best = session.read(&before)?[CAPACITIES - 1];
    let chosen = session.read(&chosen)?;
    let sum = |of: &[u32]| -> u32 { of.iter().zip(&chosen).map(|(x, take)| x * take).sum() };
    ensure!(
        sum(&weights) < CAPACITIES as u32,
        "what is chosen is too heavy"
    );
    equal("value of what is chosen", &[sum(&values)], &[best])?;

    // Branch and bound starts with the best value per weight.
    let mut things: Vec<(u32, u32)> = weights.into_iter().zip(values).collect();
    things.sort_by(|a, b| (b.1 * a.0).cmp(&(a.1 * b.0)));
    let mut found = 0;
    search(&things, CAPACITIES as u32 - 1, 0, &mut found);
    equal("best value", &[best], &[found])
}

/// Searches all combinations, except where even a part of the next item cannot improve the result.
fn search(things: &[(u32, u32)], room: u32, value: u32, best: &mut u32) {
    *best = value.max(*best);
    let (mut left, mut bound) = (room, value);
    for &(weight, worth) in things {
        if weight > left {
            bound += worth * left / weight;
            break;
        }
        left -= weight;
        bound += worth;
    }
    if bound <= *best {
        return;
    }
    if let Some((&(weight, worth), rest)) = things.split_first() {
        if weight <= room {
            search(rest, room - weight, value + worth, best);
        }
        search(rest, room, value, best);
    }
}
