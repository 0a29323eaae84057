//! The index space of a launch: validation of the sizes in the order of the specification, and the
//! choice of a local size if none is given.

use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::fault;
use host_exec::host_threads;
use host_exec::work_group::NdRange;

/// Work-items per group that the choice aims at: enough to fill vectors and to amortise the call
/// of a group, few enough to stay in the first-level cache.
const PREFERRED_SIZE: u64 = 256;

/// Groups per host thread that the choice aims at, for load balance.
const GROUPS_PER_THREAD: u64 = 4;

/// Most lanes of vectorised code on the host.
const MAX_LANES: u64 = 16;

/// The sizes of a launch as the host program gives them.
#[derive(Clone, Copy)]
pub(crate) struct LaunchSizes<'a> {
    pub global_offset: Option<&'a [usize]>,
    pub global_size: &'a [usize],
    pub local_size: Option<&'a [usize]>,
}

/// Validates an NDRange (`clEnqueueNDRangeKernel`) and completes it. Without a local size it gets
/// the size that the kernel requires, or else one that is chosen, of at most `chosen_limit`
/// work-items.
///
/// # Errors
/// `InvalidWorkDimension`, `InvalidGlobalWorkSize`, `InvalidGlobalOffset`,
/// `InvalidWorkGroupSize`, `InvalidWorkItemSize`.
pub(crate) fn nd_range(
    device: &Device,
    required: Option<[u64; 3]>,
    sizes: LaunchSizes<'_>,
    chosen_limit: u64,
) -> Result<NdRange> {
    let LaunchSizes {
        global_offset,
        global_size,
        local_size,
    } = sizes;
    let dimensions = global_size.len();
    if !(1..=3).contains(&dimensions) {
        return Err(Error::new(
            Code::InvalidWorkDimension,
            format!("work_dim is {dimensions}"),
        ));
    }
    let global = extended(global_size, 1);
    let offset = fault::global_offset(extended(global_offset.unwrap_or(&[]), 0));
    let items = product(global).filter(|items| *items <= 1 << 62);
    if global.contains(&0) || items.is_none() {
        return Err(Error::new(
            Code::InvalidGlobalWorkSize,
            format!("global_work_size is {global_size:?}"),
        ));
    }
    if (0..3).any(|d| offset[d].checked_add(global[d]).is_none()) {
        return Err(Error::new(
            Code::InvalidGlobalOffset,
            "a global id would be larger than a size_t can be",
        ));
    }
    let given = local_size.map(|sizes| extended(sizes, 1));
    let limit = device.max_work_group_size();
    check_local_size(&global[..dimensions], given, required, limit)?;
    let local = given.or(required).unwrap_or_else(|| {
        let limit = limit.min(chosen_limit);
        choose(global, limit, host_threads::for_arrays(device.arrays()))
    });
    Ok(NdRange {
        work_dimensions: dimensions as u64,
        global_offset: offset,
        global_size: global,
        local_size: local,
        group_count: std::array::from_fn(|d| global[d] / local[d]),
    })
}

/// The largest global size of a built-in kernel (`CL_KERNEL_GLOBAL_WORK_SIZE`).
pub(crate) const TASK_SIZE: [u64; 3] = [1; 3];

/// Validates the sizes of a built-in kernel's launch.
///
/// # Errors
/// Those of `nd_range`; `InvalidGlobalWorkSize`: several work-items.
pub(crate) fn check_task(device: &Device, sizes: LaunchSizes<'_>) -> Result<()> {
    if nd_range(device, None, sizes, u64::MAX)?.global_size == TASK_SIZE {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidGlobalWorkSize,
        "a launch of a built-in kernel has one work-item, and its sizes are arguments",
    ))
}

/// The sizes in three dimensions; missing dimensions have the size `rest`.
fn extended(sizes: &[usize], rest: u64) -> [u64; 3] {
    std::array::from_fn(|d| sizes.get(d).map_or(rest, |&size| size as u64))
}

/// The product of the sizes; none if it overflows.
fn product(sizes: [u64; 3]) -> Option<u64> {
    sizes
        .iter()
        .try_fold(1u64, |product, &size| product.checked_mul(size))
}

/// Checks the local size that is given by the host program or required by the kernel; `limit` is
/// the most work-items of a group.
///
/// # Errors
/// `InvalidWorkGroupSize`, `InvalidWorkItemSize`.
fn check_local_size(
    global: &[u64],
    given: Option<[u64; 3]>,
    required: Option<[u64; 3]>,
    limit: u64,
) -> Result<()> {
    let invalid = |sentence: String| Err(Error::new(Code::InvalidWorkGroupSize, sentence));
    if let (Some(local), Some(required)) = (given, required)
        && local != required
    {
        return invalid(format!(
            "local_work_size is {local:?}, the kernel requires {required:?}"
        ));
    }
    let Some(local) = given.or(required) else {
        return Ok(());
    };
    // This error names local_work_size, so a size that only the kernel requires has another one.
    if given.is_some() && local.iter().any(|&size| size > limit) {
        return Err(Error::new(
            Code::InvalidWorkItemSize,
            format!("local_work_size is {local:?}, the limit {limit}"),
        ));
    }
    if local.contains(&0) || product(local).is_none_or(|items| items > limit) {
        return invalid(format!("the local size is {local:?}, the limit {limit}"));
    }
    let divides = |d: usize| global.get(d).copied().unwrap_or(1) % local[d] == 0;
    if !(0..3).all(divides) && fault::local_sizes_are_checked() {
        return invalid(format!(
            "the local size {local:?} does not divide {global:?}"
        ));
    }
    Ok(())
}

/// A local size for a launch that gives none. It divides the global size, with whole vectors along
/// x if possible, and leaves groups for all host threads.
fn choose(global: [u64; 3], limit: u64, host_threads: usize) -> [u64; 3] {
    let items = global.iter().product::<u64>();
    let preferred_groups = host_threads as u64 * GROUPS_PER_THREAD;
    let target = (items / preferred_groups)
        .clamp(MAX_LANES, PREFERRED_SIZE)
        .min(limit);
    let mut local = [1u64; 3];
    let mut remaining = target;
    for d in 0..3 {
        local[d] = largest_divisor(global[d], remaining, if d == 0 { MAX_LANES } else { 1 });
        remaining /= local[d];
    }
    local
}

/// The largest divisor of `size` up to `limit`; multiples of `unit` are preferred.
fn largest_divisor(size: u64, limit: u64, unit: u64) -> u64 {
    let limit = limit.min(size);
    let divides = |candidate: &u64| size.is_multiple_of(*candidate);
    let largest = (1..=limit).rev().find(divides).unwrap_or(1);
    (1..=limit / unit)
        .rev()
        .map(|count| count * unit)
        .find(divides)
        .unwrap_or(largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;

    fn code(
        required: Option<[u64; 3]>,
        global: &[usize],
        local: Option<&[usize]>,
        offset: Option<&[usize]>,
    ) -> Option<Code> {
        let device = &Platform::get().devices()[0];
        let sizes = LaunchSizes {
            global_offset: offset,
            global_size: global,
            local_size: local,
        };
        nd_range(device, required, sizes, u64::MAX)
            .err()
            .map(|error| error.code)
    }

    #[test]
    fn each_error_has_its_code() {
        use Code::*;
        assert_eq!(code(None, &[], None, None), Some(InvalidWorkDimension));
        assert_eq!(
            code(None, &[1, 1, 1, 1], None, None),
            Some(InvalidWorkDimension)
        );
        assert_eq!(code(None, &[4, 0], None, None), Some(InvalidGlobalWorkSize));
        assert_eq!(
            code(None, &[usize::MAX, 3], None, None),
            Some(InvalidGlobalWorkSize)
        );
        assert_eq!(
            code(None, &[8], None, Some(&[usize::MAX - 7])),
            Some(InvalidGlobalOffset)
        );
        assert_eq!(code(None, &[8], None, Some(&[usize::MAX - 8])), None);
        assert_eq!(
            code(None, &[8], Some(&[3]), None),
            Some(InvalidWorkGroupSize)
        );
        assert_eq!(
            code(None, &[8], Some(&[0]), None),
            Some(InvalidWorkGroupSize)
        );
        assert_eq!(
            code(None, &[4096], Some(&[2048]), None),
            Some(InvalidWorkItemSize)
        );
        assert_eq!(
            code(None, &[64, 64], Some(&[64, 64]), None),
            Some(InvalidWorkGroupSize)
        );
        for (required, global) in [
            ([8, 1, 1], &[12][..]),
            ([8, 2, 1], &[16]),
            ([2, 2, 2], &[4, 4]),
            ([2048, 1, 1], &[2048]),
        ] {
            let code = code(Some(required), global, None, None);
            assert_eq!(code, Some(InvalidWorkGroupSize), "{required:?} {global:?}");
        }
        assert_eq!(
            code(Some([8, 1, 1]), &[8], Some(&[4]), None),
            Some(InvalidWorkGroupSize)
        );
        assert_eq!(code(Some([8, 1, 1]), &[8], Some(&[8]), Some(&[5])), None);
    }

    #[test]
    fn a_missing_local_size_is_the_required_one() {
        let device = &Platform::get().devices()[0];
        for (required, global) in [
            ([8, 1, 1], &[24][..]),
            ([4, 2, 1], &[8, 8]),
            ([2, 3, 4], &[2, 6, 8]),
        ] {
            let sizes = LaunchSizes {
                global_offset: None,
                global_size: global,
                local_size: None,
            };
            let nd_range = nd_range(device, Some(required), sizes, u64::MAX).unwrap();
            assert_eq!(nd_range.local_size, required);
        }
    }

    #[test]
    fn the_chosen_size_divides_and_respects_the_limit() {
        for global in [
            [1, 1, 1],
            [1000, 1, 1],
            [10_007, 1, 1],
            [640, 480, 1],
            [6, 10, 15],
            [1 << 30, 1, 1],
        ] {
            let local = choose(global, 1024, 4);
            assert!(
                (0..3).all(|d| global[d].is_multiple_of(local[d])),
                "{global:?}"
            );
            assert!(local.iter().product::<u64>() <= 1024);
            let few = choose(global, 12, 4);
            assert!(few.iter().product::<u64>() <= 12, "{global:?}");
        }
        assert_eq!(choose([1 << 20, 1, 1], 1024, 4), [256, 1, 1]);
        assert_eq!(choose([48 * 1000, 1, 1], 1024, 4)[0] % 16, 0);
    }
}
