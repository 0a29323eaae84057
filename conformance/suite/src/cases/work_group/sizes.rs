//! Work-groups of all sizes up to the device's maximum.

use crate::cases::launch::{Program, Shape, Word, word};
use crate::compare::equal;
use anyhow::{Context, Result, bail, ensure};
use harness::session::{Argument, Session};
use opencl3::error_codes::ClError;
use opencl3::error_codes::{CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE};

/// Exchanges with changing other work-items through local memory, and a sum over the group.
const EXCHANGES: Program = Program {
    scratch: 1,
    counts: &[3],
    source: r"kernel void test(global const uint *input, global uint *result, uint count,
                 local uint *shared)
{
    const size_t here = place(), me = lane(), size = group_size();
    uint mine = input[here];
    for (uint step = 1; step <= count; ++step) {
        shared[me] = mine + step;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = mine * 3 + (shared[(me + step * step) % size] ^ shared[size - 1 - me]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    shared[me] = mine;
    for (size_t rest = size; rest > 1;) {
        const size_t summed = (rest + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me + summed < rest)
            shared[me] += shared[me + summed];
        rest = summed;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = shared[0] ^ (mine << 1);
}
",
    expected: |group| {
        let mut mine = group.each(|lane| group.input(lane, 0));
        for step in 1..=group.count as usize {
            let shared = group.each(|lane| mine[lane] + word(step));
            mine = group.each(|lane| {
                let others = (lane + step * step) % group.size;
                mine[lane] * word(3) + (shared[others] ^ shared[group.size - 1 - lane])
            });
        }
        let sum: Word = mine.iter().sum();
        group.each(|lane| sum ^ (mine[lane] << 1))
    },
};

/// The device's limits: work-items per group of the kernel, and along each axis.
fn limits(session: &Session) -> Result<(usize, [usize; 3])> {
    let sizes = session.device.max_work_item_sizes()?;
    ensure!(sizes.len() >= 3, "CL_DEVICE_MAX_WORK_ITEM_SIZES: {sizes:?}");
    let local = session.device.local_mem_size()? as usize;
    let largest = session
        .device
        .max_work_group_size()?
        .min(local / size_of::<u32>());
    let kernel = EXCHANGES.kernel(session, largest)?;
    let largest = largest.min(kernel.get_work_group_size(session.device.id())?);
    Ok((largest, [sizes[0], sizes[1], sizes[2]]))
}

/// Groups of the maximum size, and with one work-item less, along each axis and along all.
pub fn largest(session: &Session) -> Result<()> {
    let (largest, limits) = limits(session)?;
    let mut shapes: Vec<Shape> = Vec::new();
    for axis in 0..3 {
        for size in [largest, largest - 1, largest / 2 + 1] {
            let mut local = [1; 3];
            local[axis] = size.clamp(1, limits[axis]);
            shapes.push([local, [2, 1, 1], [0, 0, 0]]);
            // The remaining size along the next axis.
            let next = (axis + 1) % 3;
            local[axis] = local[axis].min(size.isqrt());
            local[next] = (size / local[axis]).min(limits[next]);
            shapes.push([local, [1, 2, 1], [0, 3, 0]]);
        }
    }
    for (x, y) in [(2, 2), (4, 16), (3, 5)] {
        let (x, y) = (x.min(limits[0]).min(largest), y.min(limits[1]));
        if x * y <= largest {
            let z = (largest / x / y).min(limits[2]);
            shapes.push([[x, y, z], [1, 1, 2], [0, 0, 0]]);
        }
    }
    EXCHANGES.run_in(session, &shapes)
}

/// Groups with odd and prime sizes.
pub fn uneven(session: &Session) -> Result<()> {
    let shapes = [
        [[13, 1, 1], [7, 1, 1], [0, 0, 0]],
        [[1, 17, 1], [3, 2, 1], [0, 0, 0]],
        [[1, 1, 19], [2, 1, 3], [0, 5, 0]],
        [[3, 5, 7], [3, 1, 2], [1, 1, 1]],
        [[31, 3, 1], [1, 5, 1], [0, 0, 0]],
        [[1, 23, 5], [5, 1, 1], [0, 0, 0]],
        [[5, 1, 21], [1, 3, 1], [0, 0, 9]],
        [[127, 1, 1], [3, 3, 3], [0, 0, 0]],
    ];
    EXCHANGES.run_in(session, &shapes)
}

/// Every size from one to 33 work-items: below, at and above the widths of vectors.
pub fn all_small(session: &Session) -> Result<()> {
    let shapes: Vec<Shape> = (1..=33)
        .map(|size| [[size, 1, 1], [2, 1, 1], [0, 0, 0]])
        .collect();
    EXCHANGES.run_in(session, &shapes)
}

/// A launch without local size of a kernel that requires one has that size, in the dimensions
/// of the launch; where it does not divide the global size, nothing runs (unified specification,
/// `clEnqueueNDRangeKernel`).
pub fn required_left_out(session: &Session) -> Result<()> {
    for (required, global) in [
        ([8, 1, 1], &[24][..]),
        ([4, 2, 1], &[8, 6]),
        ([2, 3, 4], &[6, 3, 8]),
        ([4, 1, 1], &[8, 3, 2]),
    ] {
        let [x, y, z] = required;
        let source = format!(
            "__attribute__((reqd_work_group_size({x}, {y}, {z})))
             kernel void test(global uint *sizes, global uint *items) {{
                 if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0)
                     for (uint axis = 0; axis < 3; ++axis)
                         sizes[axis] = get_local_size(axis);
                 atomic_inc(items);
             }}"
        );
        let program = session.program(&source, "")?;
        let kernel = program.kernel("test")?;
        let (sizes, items) = (session.zeros::<u32>(3)?, session.zeros::<u32>(1)?);
        let arguments: [&dyn Argument; 2] = [&sizes, &items];
        session.run(&kernel, global, &[], &arguments)?;
        equal("local size", &session.read(&sizes)?, &required)?;
        let count = global.iter().product::<usize>() as u32;
        equal("work-items", &session.read(&items)?, &[count])?;

        // A global size that is not divisible along the first axis, and a launch with one dimension
        // less.
        let mut uneven = global.to_vec();
        uneven[0] += 1;
        let last = required.iter().rposition(|&size| size > 1).unwrap_or(0);
        let mut wrong = vec![uneven];
        if last > 0 {
            wrong.push(global[..last].to_vec());
        }
        for global in wrong {
            let Err(error) = session.run(&kernel, &global, &[], &arguments) else {
                bail!("global size {global:?}, required {required:?} was not refused");
            };
            ensure!(
                error.downcast_ref() == Some(&ClError(CL_INVALID_WORK_GROUP_SIZE)),
                "global size {global:?}, required {required:?}: {error:#}"
            );
        }
        equal("work-items", &session.read(&items)?, &[count])?;
    }
    Ok(())
}

/// Invalid sizes return the code of section 5.8, and nothing runs.
pub fn refused(session: &Session) -> Result<()> {
    let (_, limits) = limits(session)?;
    let largest = session.device.max_work_group_size()?;
    let program = session.program(
        "kernel void unfixed(global uint *ran) { *ran = 1; }
         __attribute__((reqd_work_group_size(4, 2, 1)))
         kernel void fixed(global uint *ran) { *ran = 1; }",
        "",
    )?;
    let (unfixed, fixed) = (program.kernel("unfixed")?, program.kernel("fixed")?);
    let ran = session.zeros::<u32>(1)?;
    let arguments: [&dyn Argument; 1] = [&ran];
    let group = [CL_INVALID_WORK_GROUP_SIZE].as_slice();
    // If one axis and the whole group are too large, both codes are right.
    let both = [CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE].as_slice();
    let mut launches = vec![
        (&unfixed, [10, 1, 1], [4, 1, 1], group),
        (&unfixed, [8, 9, 1], [4, 2, 1], group),
        (&unfixed, [8, 8, 7], [2, 2, 2], group),
        (&fixed, [8, 8, 1], [2, 4, 1], group),
        (&fixed, [16, 8, 1], [8, 2, 1], group),
    ];
    for (axis, limit) in limits.into_iter().enumerate() {
        let mut local = [1; 3];
        local[axis] = limit + 1;
        let codes = if limit < largest { &both[1..] } else { both };
        launches.push((&unfixed, local, local, codes));
    }
    if limits[0] >= largest && limits[1] >= 2 {
        launches.push((&unfixed, [largest, 2, 1], [largest, 2, 1], group));
    }
    for (kernel, global, local, codes) in launches {
        let launch = format!("global size {global:?}, local size {local:?}");
        let Err(error) = session.run(kernel, &global, &local, &arguments) else {
            bail!("{launch} was not refused");
        };
        match error.downcast_ref::<ClError>() {
            Some(ClError(code)) if codes.contains(code) => {}
            _ => return Err(error.context(format!("expected an error of {codes:?} for {launch}"))),
        }
    }
    equal("work-items", &session.read(&ran)?, &[0])?;
    session
        .run(&fixed, &[8, 8, 1], &[4, 2, 1], &arguments)
        .context("the size that the kernel requires")?;
    equal("work-items", &session.read(&ran)?, &[1])
}
