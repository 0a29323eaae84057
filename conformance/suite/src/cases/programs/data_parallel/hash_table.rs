//! A hash table filled by all work-items at once.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;
use std::collections::HashMap;

const KEYS: usize = 20_000;
const DIFFERENT: u32 = 3000;
const SLOTS: usize = 4099;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(53);
    // Key 0 marks an empty slot.
    let mut key = |different: u32| 1 + random.below(different) * 97;
    let keys: Vec<u32> = (0..KEYS).map(|_| key(DIFFERENT)).collect();
    // Some of the queried keys are not in the table.
    let asked: Vec<u32> = (0..KEYS).map(|_| key(2 * DIFFERENT)).collect();
    let program = session.program(include_str!("hash_table.cl"), &format!("-DSLOTS={SLOTS}u"))?;
    let slots = session.zeros::<[u32; 2]>(SLOTS)?;
    let lost = session.zeros::<u32>(1)?;
    let there = session.buffer(&keys)?;
    session.run(
        &program.kernel("insert")?,
        &[KEYS],
        &[100],
        &[&there, &slots, &lost],
    )?;
    let asked_there = session.buffer(&asked)?;
    let counts = session.zeros::<u32>(KEYS)?;
    session.run(
        &program.kernel("look_up")?,
        &[KEYS],
        &[],
        &[&asked_there, &slots, &counts],
    )?;
    let mut expected: HashMap<u32, u32> = HashMap::new();
    for key in keys {
        *expected.entry(key).or_default() += 1;
    }
    equal("keys lost", &session.read(&lost)?, &[0])?;
    let used = session.read(&slots)?;
    let used = used.iter().filter(|slot| slot[0] != 0).count();
    equal("slots used", &[used], &[expected.len()])?;
    let expected: Vec<u32> = asked
        .iter()
        .map(|key| expected.get(key).copied().unwrap_or(0))
        .collect();
    equal("counts", &session.read(&counts)?, &expected)
}
