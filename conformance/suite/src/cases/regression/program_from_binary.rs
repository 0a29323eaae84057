//! A program from a binary, in groups of one work-item and of several.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Argument, Local, Session};

const LENGTH: usize = 32;

/// Work-groups copy their part to local memory and back asynchronously; the loop in between begins
/// with the wait.
pub fn run(session: &Session) -> Result<()> {
    let source = session.program(
        r"kernel void test(global uint *restrict buffer, local uint *restrict part, const uint length)
{
    const size_t me = get_local_id(0), size = get_local_size(0);
    global uint *ours = buffer + get_group_id(0) * length * size;
    event_t event = async_work_group_copy(part, ours, length * size, 0);
    for (uint i = 0; i < length; ++i) {
        if (i == 0)
            wait_group_events(1, &event);
        part[i * size + me] += i * 1000 + me + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(ours, part, length * size, 0);
    wait_group_events(1, &event);
}
",
        "",
    )?;
    let program = session.program_from_binary(&source.binary()?)?;
    drop(source);
    let kernel = program.kernel("test")?;
    for (groups, local) in [(32, 1), (8, 4), (3, 48), (32, 1)] {
        let items = groups * local;
        let before: Vec<u32> = (0..(items * LENGTH) as u32).collect();
        let buffer = session.buffer(&before)?;
        let part = Local::<u32>::new(LENGTH * local);
        let arguments: [&dyn Argument; 3] = [&buffer, &part, &(LENGTH as u32)];
        session.run(&kernel, &[items, 1, 1], &[local, 1, 1], &arguments)?;
        let expected: Vec<u32> = before
            .iter()
            .map(|&number| {
                let at = number as usize % (LENGTH * local);
                number + (at / local * 1000 + at % local + 1) as u32
            })
            .collect();
        equal(
            &format!("{groups} groups of {local}"),
            &session.read(&buffer)?,
            &expected,
        )?;
    }
    Ok(())
}
