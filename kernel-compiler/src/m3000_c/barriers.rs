//! The functions that the work-group function asks what to run where work-items of a group have arrived at
//! different barriers. They do what those of `host_exec::barrier` do.

use crate::intrinsics::{AGREED_ARRIVAL, NEXT_ARRIVAL};
use host_exec::barrier::arrivals::{DIFFERENT, RETURNED};

/// The names of functions in the IR, and those in C.
const FUNCTIONS: &[(&str, &str)] = &[
    (AGREED_ARRIVAL, "mocl3_agreed_arrival"),
    (NEXT_ARRIVAL, "mocl3_next_arrival"),
];

/// The function in C of that name in the IR.
pub fn name(intrinsic: &str) -> Option<&'static str> {
    let mut rows = FUNCTIONS.iter();
    rows.find(|(name, _)| *name == intrinsic)
        .map(|(_, written)| *written)
}

/// The functions as C.
pub fn functions() -> String {
    TEXT.replace("@returned@", &format!("{RETURNED}u"))
        .replace("@different@", &format!("{DIFFERENT}u"))
        // The work-group function stores neither this value nor compares with it.
        .replace("@returned_before@", &format!("{}u", DIFFERENT - 1))
}

/// The functions, with the numbers in `@` left out.
const TEXT: &str = r#"/* Where work-items have arrived: 2 r at the beginning of region r, 2 r + 1 at the barrier before it. */
static const u32 mocl3_returned = @returned@;
static const u32 mocl3_different = @different@;
static const u32 mocl3_returned_before = @returned_before@;

/* The arrival of all work-items, or mocl3_different. */
__attribute__((unused)) static u32 mocl3_agreed_arrival(pointer group, pointer arrivals, u64 items)
{
    const u32 *arrival = (const u32 *)arrivals;
    (void)group;
    for (u64 item = 1; item < items; item++) {
        if (arrival[item] != arrival[0])
            return mocl3_different;
    }
    return arrival[0];
}

/* The first arrival of a work-item that waits at no barrier and has not returned. */
__attribute__((unused)) static u32 mocl3_first_running(const u32 *arrival, u64 items)
{
    for (u64 item = 0; item < items; item++) {
        if (arrival[item] < mocl3_returned_before && arrival[item] % 2 == 0)
            return arrival[item];
    }
    return mocl3_returned;
}

/* The arrival whose work-items run next. If none runs, the barriers are passed. */
__attribute__((unused)) static u32 mocl3_next_arrival(pointer group, pointer arrivals, u64 items)
{
    u32 *arrival = (u32 *)arrivals;
    u32 first = mocl3_first_running(arrival, items);
    (void)group;
    if (first != mocl3_returned)
        return first;
    for (u64 item = 0; item < items; item++) {
        if (arrival[item] == mocl3_returned)
            arrival[item] = mocl3_returned_before;
        else if (arrival[item] < mocl3_returned_before && arrival[item] % 2 == 1)
            arrival[item]--;
    }
    return mocl3_first_running(arrival, items);
}
"#;
