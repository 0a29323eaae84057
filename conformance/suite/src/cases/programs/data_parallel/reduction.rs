//! Sum, minimum and maximum with their places, in two stages.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Local, Session};

const COUNT: usize = 150_007;
const GROUPS: usize = 37;
const GROUP: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Extreme {
    value: i32,
    place: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Summary {
    sum: i64,
    least: Extreme,
    most: Extreme,
}

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(23);
    // There are few different values, so that extremes occur many times.
    let values: Vec<i32> = (0..COUNT)
        .map(|_| (random.below(20_000) as i32 - 10_000) * 200_000)
        .collect();
    let program = session.program(include_str!("reduction.cl"), "")?;
    let there = session.buffer(&values)?;
    let results = session.zeros::<Summary>(GROUPS)?;
    let count = COUNT as u32;
    let arguments: [&dyn Argument; 4] = [&there, &count, &results, &Local::<Summary>::new(GROUP)];
    session.run(
        &program.kernel("first_stage")?,
        &[GROUP * GROUPS],
        &[GROUP],
        &arguments,
    )?;
    let arguments: [&dyn Argument; 2] = [&results, &Local::<Summary>::new(GROUPS)];
    session.run(
        &program.kernel("last_stage")?,
        &[GROUPS],
        &[GROUPS],
        &arguments,
    )?;
    let first = |value: Option<i32>| {
        let value = value.unwrap_or(0);
        let place = values.iter().position(|&v| v == value).unwrap_or(0) as u32;
        Extreme { value, place }
    };
    let expected = Summary {
        sum: values.iter().map(|&value| i64::from(value)).sum(),
        least: first(values.iter().copied().min()),
        most: first(values.iter().copied().max()),
    };
    equal("summary", &session.read(&results)?[..1], &[expected])
}
