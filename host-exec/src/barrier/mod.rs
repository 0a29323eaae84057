//! Divergent barriers: work-items of a group wait at different barriers, or return before one. OpenCL
//! leaves the result undefined; here a barrier waits until each work-item of the group is at a barrier, whichever,
//! or has returned. Compiled code stores where each work-item has arrived, in the order of local ids,
//! and asks here what to run.

pub mod arrivals;
pub mod checker;

use crate::work_group::WorkGroupContext;
use arrivals::{Arrivals, DIFFERENT, RETURNED};

/// The arrival of all work-items of a group, or `DIFFERENT`.
///
/// # Safety
/// `arrivals` points to that many arrivals.
pub unsafe extern "C" fn agreed_arrival(
    _: *const WorkGroupContext,
    arrivals: *const u32,
    items: u64,
) -> u32 {
    // SAFETY: as the caller promises.
    let arrivals = unsafe { std::slice::from_raw_parts(arrivals, items as usize) };
    match arrivals {
        [first, rest @ ..] if rest.iter().all(|arrival| arrival == first) => *first,
        [] => RETURNED,
        _ => DIFFERENT,
    }
}

/// The arrival whose work-items run next: that of the first one that does not wait; if all wait or
/// have returned, the barriers are passed. `RETURNED` if all have.
///
/// # Safety
/// As `agreed_arrival`, and nothing else accesses the arrivals. The context is the one that the
/// work-group function was called with.
pub unsafe extern "C" fn next_arrival(
    context: *const WorkGroupContext,
    arrivals: *mut u32,
    items: u64,
) -> u32 {
    // SAFETY: as the caller promises.
    let arrivals = unsafe { std::slice::from_raw_parts_mut(arrivals, items as usize) };
    next(&mut Arrivals::new(arrivals), |arrivals| {
        // SAFETY: as the caller promises.
        if let Some(checker) = unsafe { checker::checker(context) } {
            // SAFETY: as the caller promises.
            checker.arrived(unsafe { &*context }, arrivals);
        }
    })
}

fn next(arrivals: &mut Arrivals<'_>, none_runs: impl FnOnce(&Arrivals<'_>)) -> u32 {
    if let Some(first) = arrivals.first_running() {
        return first;
    }
    none_runs(arrivals);
    arrivals.pass_barriers();
    arrivals.first_running().unwrap_or(RETURNED)
}

#[cfg(test)]
mod tests {
    use super::arrivals::{Elsewhere, running, waiting_for};
    use super::*;

    #[test]
    fn barriers_are_passed_when_no_work_item_runs() {
        let mut items = [waiting_for(3), running(2), RETURNED, waiting_for(1)];
        let mut passed = Vec::new();
        let mut next_after = |item: usize, arrival: u32| {
            items[item] = arrival;
            next(&mut Arrivals::new(&mut items), |arrivals| {
                passed.push(arrivals.elsewhere(&|region| region == 3));
            })
        };
        assert_eq!(next_after(2, RETURNED), running(2));
        assert_eq!(next_after(1, RETURNED), running(3));
        assert_eq!(next_after(0, waiting_for(3)), running(1));
        assert_eq!(next_after(3, waiting_for(3)), running(3));
        assert_eq!(next_after(0, RETURNED), running(3));
        assert_eq!(next_after(3, RETURNED), RETURNED);
        let at_another = Some((3, Elsewhere::AtBarrier(1)));
        let returned = |item| Some((item, Elsewhere::Returned));
        assert_eq!(passed, [at_another, None, returned(0)]);
    }
}
