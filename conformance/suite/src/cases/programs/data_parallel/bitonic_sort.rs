//! Bitonic sort of records against the standard library's sort.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Local, Session};

const COUNT: usize = 1 << 15;
const GROUP: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Record {
    key: u32,
    value: u32,
}

pub fn run(session: &Session) -> Result<()> {
    // All keys are different, because the network is not stable.
    let mut random = Random::new(2);
    let mut records: Vec<Record> = (0..COUNT as u32)
        .map(|index| Record {
            key: index.wrapping_mul(0x9E37_79B1),
            value: random.word(),
        })
        .collect();
    let program = session.program(include_str!("bitonic_sort.cl"), "")?;
    let buffer = session.buffer(&records)?;
    let items = &[COUNT / 2];
    let part = || Local::<u32>::new(2 * GROUP);
    let (keys, values) = (part(), part());
    session.run(
        &program.kernel("sort_blocks")?,
        items,
        &[GROUP],
        &[&buffer, &keys, &values],
    )?;
    let step = program.kernel("merge_step")?;
    let blocks = program.kernel("merge_blocks")?;
    let mut length = 4 * GROUP;
    while length <= COUNT {
        let mut distance = length / 2;
        while distance > GROUP {
            let arguments: [&dyn harness::session::Argument; 3] =
                [&buffer, &(distance as u32), &(length as u32)];
            session.run(&step, items, &[], &arguments)?;
            distance /= 2;
        }
        session.run(
            &blocks,
            items,
            &[GROUP],
            &[&buffer, &keys, &values, &(length as u32)],
        )?;
        length *= 2;
    }
    records.sort_by_key(|record| record.key);
    equal("records", &session.read(&buffer)?, &records)
}
