//! The results of the functions for ids and sizes (section 6.12.1) in every work-item.

use crate::cases::launch::WHERE;
use crate::compare::equal;
use anyhow::{Context, Result, ensure};
use harness::session::{Argument, Session};
use opencl3::kernel::Kernel;

/// Number of words that a work-item writes: seven functions for each of three dimensions, and one
/// more.
const WORDS: usize = 22;
/// The index of `get_local_size(0)` among them.
const LOCAL_SIZE: usize = 4;

fn kernel(session: &Session, name: &str) -> Result<Kernel> {
    let source = [WHERE, include_str!("ids.cl")].concat();
    session.program(&source, "")?.kernel(name)
}

/// Extends sizes to three dimensions; the missing ones are `rest`.
fn three(sizes: &[usize], rest: usize) -> [usize; 3] {
    std::array::from_fn(|axis| sizes.get(axis).copied().unwrap_or(rest))
}

/// Launches a kernel that records ids. Checks that each work-item ran once, and that the ids it
/// recorded for `axes` are right. `local` may be empty.
fn recorded(
    session: &Session,
    kernel: &Kernel,
    [offset, global, local]: [&[usize]; 3],
    axes: Option<[u32; 3]>,
) -> Result<()> {
    let size = three(global, 1);
    let items = size.iter().product::<usize>();
    let records = session.buffer(&vec![u64::MAX; WORDS * items])?;
    let visits = session.zeros::<u32>(items)?;
    let asked = session.buffer(&axes.unwrap_or_default())?;
    let mut arguments: Vec<&dyn Argument> = vec![&records, &visits];
    if axes.is_some() {
        arguments.push(&asked);
    }
    session.run_from(kernel, offset, global, local, &arguments)?;
    equal("visits", &session.read(&visits)?, &vec![1; items])?;
    let records = session.read(&records)?;
    let chosen: Vec<usize> = match local {
        [] => (0..global.len())
            .map(|axis| records[axis * 7 + LOCAL_SIZE] as usize)
            .collect(),
        _ => local.to_vec(),
    };
    for axis in 0..global.len() {
        ensure!(
            chosen[axis] > 0 && global[axis] % chosen[axis] == 0,
            "local size {chosen:?} does not share out global size {global:?}"
        );
    }
    let (local, offset) = (three(&chosen, 1), three(offset, 0));
    for place in 0..items {
        let at = [
            place % size[0],
            place / size[0] % size[1],
            place / size[0] / size[1],
        ];
        let mut expected = Vec::with_capacity(WORDS);
        for axis in axes.unwrap_or([0, 1, 2]).map(|axis| axis as usize) {
            expected.extend(match axis {
                0..3 => [
                    offset[axis] + at[axis],
                    at[axis] % local[axis],
                    at[axis] / local[axis],
                    size[axis],
                    local[axis],
                    size[axis] / local[axis],
                    offset[axis],
                ],
                // Beyond the last dimension, ids are 0 and sizes 1.
                _ => [0, 0, 0, 1, 1, 1, 0],
            });
        }
        expected.push(global.len());
        let expected: Vec<u64> = expected.into_iter().map(|word| word as u64).collect();
        equal(
            &format!(
                "global id, local id, group id, global size, local size, groups and offset of \
                 each axis, then the number of dimensions, of the work-item at {at:?}"
            ),
            &records[WORDS * place..][..WORDS],
            &expected,
        )?;
    }
    Ok(())
}

fn launches(session: &Session, shapes: &[[&[usize]; 3]]) -> Result<()> {
    let kernel = kernel(session, "record")?;
    for shape in shapes {
        recorded(session, &kernel, *shape, None)
            .with_context(|| format!("offset, global and local size {shape:?}"))?;
    }
    Ok(())
}

/// One group of 13 work-items, and other small launches.
pub fn small_grid(session: &Session) -> Result<()> {
    launches(
        session,
        &[
            [&[], &[13], &[13]],
            [&[], &[13], &[1]],
            [&[], &[26], &[13]],
            [&[], &[1], &[1]],
            [&[], &[13, 2], &[13, 1]],
            [&[], &[2, 13], &[1, 13]],
        ],
    )
}

/// A thousand groups of 128 work-items.
pub fn large_grid(session: &Session) -> Result<()> {
    launches(session, &[[&[], &[128_000], &[128]]])
}

/// Groups of one, two or four work-items along each axis, among them 1 x 1 x 4.
pub fn small_groups(session: &Session) -> Result<()> {
    let kernel = kernel(session, "record")?;
    for number in 0..27 {
        let local = [number % 3, number / 3 % 3, number / 9].map(|bits| 1 << bits);
        for groups in [[1, 1, 1], [3, 1, 2]] {
            let global: [usize; 3] = std::array::from_fn(|axis| groups[axis] * local[axis]);
            recorded(session, &kernel, [&[], &global, &local], None)
                .with_context(|| format!("global size {global:?}, local size {local:?}"))?;
        }
    }
    Ok(())
}

/// Global offsets in one to three dimensions.
pub fn offsets(session: &Session) -> Result<()> {
    launches(
        session,
        &[
            [&[5], &[12], &[4]],
            [&[1_000_003], &[33], &[11]],
            [&[0, 7], &[6, 10], &[3, 5]],
            [&[9, 0], &[6, 10], &[2, 2]],
            [&[1, 2, 3], &[8, 6, 4], &[4, 3, 2]],
            [&[100, 0, 7], &[5, 6, 7], &[5, 2, 7]],
            [&[0, 0, 1], &[1, 1, 9], &[1, 1, 3]],
            [&[3, 1, 2], &[7, 5, 3], &[]],
        ],
    )
}

/// Offsets of more than 32 bits.
pub fn far_offsets(session: &Session) -> Result<()> {
    launches(
        session,
        &[
            [&[(1 << 32) - 3], &[12], &[4]],
            [&[1 << 33, 5 << 32, 7], &[8, 6, 4], &[4, 3, 2]],
            [&[1, 2, 1 << 40], &[3, 5, 7], &[3, 1, 7]],
        ],
    )
}

/// Odd, prime and different sizes.
pub fn uneven_grids(session: &Session) -> Result<()> {
    launches(
        session,
        &[
            [&[], &[7, 11, 13], &[7, 1, 13]],
            [&[], &[7, 11, 13], &[1, 11, 1]],
            [&[], &[34, 9, 5], &[17, 3, 1]],
            [&[], &[3, 62, 2], &[3, 31, 1]],
            [&[], &[2, 3, 95], &[1, 3, 19]],
            [&[], &[1, 1, 97], &[1, 1, 97]],
            [&[], &[1, 101], &[1, 101]],
            [&[], &[999], &[37]],
        ],
    )
}

/// The platform chooses the local size.
pub fn chosen_sizes(session: &Session) -> Result<()> {
    launches(
        session,
        &[
            [&[], &[1], &[]],
            [&[], &[1000], &[]],
            [&[], &[997], &[]],
            [&[], &[10_007], &[]],
            [&[], &[60, 35], &[]],
            [&[], &[1, 977], &[]],
            [&[], &[31, 29, 3], &[]],
            [&[], &[2, 4, 128], &[]],
        ],
    )
}

/// Dimensions from a buffer, also invalid ones.
pub fn computed_axes(session: &Session) -> Result<()> {
    let kernel = kernel(session, "record_of")?;
    let shapes: [[&[usize]; 3]; 3] = [
        [&[3], &[12], &[4]],
        [&[1, 2], &[6, 10], &[3, 5]],
        [&[4, 5, 6], &[8, 6, 4], &[2, 3, 4]],
    ];
    for shape in shapes {
        for axes in [[0, 1, 2], [2, 0, 1], [1, 1, 2]] {
            recorded(session, &kernel, shape, Some(axes))
                .with_context(|| format!("axes {axes:?} of {shape:?}"))?;
        }
    }
    Ok(())
}

/// Dimensions beyond the third.
pub fn axes_beyond(session: &Session) -> Result<()> {
    let kernel = kernel(session, "record_of")?;
    let axes = [3, 1000, u32::MAX];
    recorded(
        session,
        &kernel,
        [&[4, 5, 6], &[8, 6, 4], &[2, 3, 4]],
        Some(axes),
    )
}
