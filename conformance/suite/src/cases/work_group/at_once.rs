//! Groups that run concurrently, if the device has several compute units, there are many groups,
//! and each runs long enough.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Local, Session};

/// Number of work-items of a group.
const LOCAL: usize = 64;

/// Each work-item writes numbers that no other group writes to local memory, of the kernel and of
/// the host. It counts how often its neighbour's number is missing after a barrier.
pub fn local_memory(session: &Session) -> Result<()> {
    const GROUPS: usize = 2048;
    const ROUNDS: u32 = 64;
    let program = session.program(
        r"kernel void test(global uint *missing, local volatile uint *theirs, uint rounds)
{
    local volatile uint own[64];
    const uint lane = get_local_id(0), neighbour = (lane + 1) % 64, group = get_group_id(0) * 64;
    uint count = 0;
    for (uint round = 0; round < rounds; ++round) {
        const uint number = group + (round << 16);
        own[lane] = number + lane;
        theirs[lane] = ~(number + lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        count += own[neighbour] != number + neighbour;
        count += theirs[neighbour] != ~(number + neighbour);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    missing[get_global_id(0)] = count;
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let missing = session.buffer(&[u32::MAX; GROUPS * LOCAL])?;
    let theirs = Local::<u32>::new(LOCAL);
    session.run(
        &kernel,
        &[GROUPS * LOCAL],
        &[LOCAL],
        &[&missing, &theirs, &ROUNDS],
    )?;
    equal(
        "numbers missing in local memory",
        &session.read(&missing)?,
        &[0; GROUPS * LOCAL],
    )
}

/// All work-items repeatedly draw numbers from one counter; each number is drawn once.
pub fn atomics(session: &Session) -> Result<()> {
    const GROUPS: usize = 1024;
    const ROUNDS: u32 = 16;
    let program = session.program(
        r"kernel void test(global uint *counter, global uint *drawn, uint rounds)
{
    uint sum = 0;
    for (uint round = 0; round < rounds; ++round) {
        volatile uint passing = 0;
        for (uint i = 0; i < 50; ++i)
            passing += i;
        sum += atomic_inc(counter);
    }
    drawn[get_global_id(0)] = sum;
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let items = GROUPS * LOCAL;
    let counter = session.buffer(&[0u32])?;
    let drawn = session.buffer(&vec![0u32; items])?;
    session.run(&kernel, &[items], &[LOCAL], &[&counter, &drawn, &ROUNDS])?;
    let tickets = items as u32 * ROUNDS;
    equal("counter", &session.read(&counter)?, &[tickets])?;
    // The sum as a `uint`, as the kernel computes it.
    let sum = session.read(&drawn)?.into_iter().fold(0, u32::wrapping_add);
    let expected = (0..tickets).fold(0, u32::wrapping_add);
    equal("sum of the tickets", &[sum], &[expected])
}
