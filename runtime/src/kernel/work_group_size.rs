//! The index space of a launch: what the host program asked for, checked in the
//! order of the specification, and the local size chosen where it left it open.

use crate::device::Device;
use crate::error::{Code, Error, Result};
use fault_injection::Defect;
use host_exec::host_threads;
use host_exec::work_group::NdRange;

/// Work-items of a group that the choice aims at: enough to fill vectors and to make
/// the call of a group cheap, few enough to stay in the first-level cache.
const AIM: u64 = 256;

/// Chunks of work wanted per host thread, for balance.
const GROUPS_PER_THREAD: u64 = 4;

/// Most lanes that vector code runs at once on the host.
const VECTOR: u64 = 16;

/// Checks an NDRange (`clEnqueueNDRangeKernel`) and completes it. Without a local size it has
/// the size that the kernel requires, or else one that is chosen here.
///
/// # Errors
/// `InvalidWorkDimension`, `InvalidGlobalWorkSize`, `InvalidGlobalOffset`,
/// `InvalidWorkGroupSize`, `InvalidWorkItemSize`.
pub(crate) fn nd_range(
    device: &Device,
    required: Option<[u64; 3]>,
    global_offset: Option<&[usize]>,
    global_size: &[usize],
    local_size: Option<&[usize]>,
) -> Result<NdRange> {
    let dimensions = global_size.len();
    if !(1..=3).contains(&dimensions) {
        return Err(Error::new(
            Code::InvalidWorkDimension,
            format!("work_dim is {dimensions}"),
        ));
    }
    let fill = |sizes: &[usize], rest: u64| -> [u64; 3] {
        std::array::from_fn(|d| sizes.get(d).map_or(rest, |&size| size as u64))
    };
    let global = fill(global_size, 1);
    let mut offset = fill(global_offset.unwrap_or(&[]), 0);
    if fault_injection::is_active(Defect::IgnoredGlobalOffsets) {
        offset = [0; 3];
    }
    let total = global
        .iter()
        .try_fold(1u64, |total, &size| total.checked_mul(size));
    if global.contains(&0) || total.is_none_or(|total| total > 1 << 62) {
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
    let wrong = |sentence: String| Err(Error::new(Code::InvalidWorkGroupSize, sentence));
    let given = local_size.map(|sizes| fill(sizes, 1));
    if let (Some(local), Some(required)) = (given, required)
        && local != required
    {
        return wrong(format!(
            "local_work_size is {local:?}, the kernel requires {required:?}"
        ));
    }
    let limit = device.max_work_group_size();
    let local = match given.or(required) {
        Some(local) => {
            // The code names local_work_size: a size that only the kernel requires has another.
            if given.is_some() && local.iter().any(|&size| size > limit) {
                return Err(Error::new(
                    Code::InvalidWorkItemSize,
                    format!("local_work_size is {local:?}, the limit {limit}"),
                ));
            }
            let items = local
                .iter()
                .try_fold(1u64, |items, &size| items.checked_mul(size));
            if local.contains(&0) || items.is_none_or(|items| items > limit) {
                return wrong(format!("the local size is {local:?}, the limit {limit}"));
            }
            if (0..3).any(|d| global[d] % local[d] != 0)
                && !fault_injection::is_active(Defect::UncheckedLocalSizes)
            {
                return wrong(format!(
                    "the local size {local:?} does not divide {global_size:?}"
                ));
            }
            local
        }
        None => choose(global, limit, host_threads::for_arrays(device.arrays())),
    };
    Ok(NdRange {
        work_dimensions: dimensions as u64,
        global_offset: offset,
        global_size: global,
        local_size: local,
        group_count: std::array::from_fn(|d| global[d] / local[d]),
    })
}

/// A local size for a launch that leaves it open: divides the global size, whole
/// vectors along x if there are any, and groups for all host threads that run it.
fn choose(global: [u64; 3], limit: u64, host_threads: usize) -> [u64; 3] {
    let items = global.iter().product::<u64>();
    let wanted_groups = host_threads as u64 * GROUPS_PER_THREAD;
    let aim = (items / wanted_groups).clamp(VECTOR, AIM).min(limit);
    let mut local = [1u64; 3];
    let mut room = aim;
    for d in 0..3 {
        local[d] = largest_divisor(global[d], room, if d == 0 { VECTOR } else { 1 });
        room /= local[d];
    }
    local
}

/// The largest divisor of `size` up to `limit`; multiples of `unit` before others.
fn largest_divisor(size: u64, limit: u64, unit: u64) -> u64 {
    let limit = limit.min(size);
    let divides = |candidate: &u64| size.is_multiple_of(*candidate);
    let best = (1..=limit).rev().find(divides).unwrap_or(1);
    (1..=limit / unit)
        .rev()
        .map(|count| count * unit)
        .find(divides)
        .unwrap_or(best)
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
        nd_range(device, required, offset, global, local)
            .err()
            .map(|error| error.code)
    }

    #[test]
    fn each_mistake_has_its_code() {
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
    fn a_size_that_is_left_out_is_the_required_one() {
        let device = &Platform::get().devices()[0];
        for (required, global) in [
            ([8, 1, 1], &[24][..]),
            ([4, 2, 1], &[8, 8]),
            ([2, 3, 4], &[2, 6, 8]),
        ] {
            let nd_range = nd_range(device, Some(required), None, global, None).unwrap();
            assert_eq!(nd_range.local_size, required);
        }
    }

    #[test]
    fn the_choice_divides_and_keeps_to_the_limit() {
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
        }
        assert_eq!(choose([1 << 20, 1, 1], 1024, 4), [256, 1, 1]);
        assert_eq!(choose([48 * 1000, 1, 1], 1024, 4)[0] % 16, 0);
    }
}
