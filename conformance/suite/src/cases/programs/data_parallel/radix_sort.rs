//! Radix sort of signed integers against the standard library's sort.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;

const ITEMS: usize = 1024;
const CHUNK: usize = 32;
const BITS: u32 = 4;

pub fn run(session: &Session) -> Result<()> {
    let mut keys: Vec<i32> = Random::new(3)
        .words(ITEMS * CHUNK)
        .into_iter()
        .map(|word| word as i32)
        .collect();
    let options = format!("-D BITS={BITS} -D CHUNK={CHUNK}");
    let program = session.program(include_str!("radix_sort.cl"), &options)?;
    let (count, scan) = (program.kernel("count")?, program.kernel("scan")?);
    let scatter = program.kernel("scatter")?;
    let mut from = session.buffer(&keys)?;
    let mut to = session.zeros::<i32>(keys.len())?;
    let counts = session.zeros::<u32>(ITEMS << BITS)?;
    for shift in (0..32).step_by(BITS as usize) {
        let items = &[ITEMS];
        session.run(&count, items, &[64], &[&from, &counts, &(shift as u32)])?;
        session.run(&scan, &[256], &[256], &[&counts, &(counts.len() as u32)])?;
        session.run(
            &scatter,
            items,
            &[64],
            &[&from, &to, &counts, &(shift as u32)],
        )?;
        std::mem::swap(&mut from, &mut to);
    }
    keys.sort_unstable();
    equal("keys", &session.read(&from)?, &keys)
}
