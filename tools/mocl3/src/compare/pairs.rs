//! Which kernel of one recording is which of the other.

use crate::profile::KernelProfile;

/// A kernel before and after; one is missing if a recording lacks the kernel.
pub type Pair<'a> = [Option<&'a KernelProfile>; 2];

/// Pairs kernels of the same name: those with the same local size first, the others by descending
/// time, since a local size may be what was changed. The longest pairs come first.
pub fn pairs<'a>(before: &'a [KernelProfile], after: &'a [KernelProfile]) -> Vec<Pair<'a>> {
    let mut rest: Vec<&KernelProfile> = after.iter().collect();
    let mut pairs: Vec<Pair<'a>> = before.iter().map(|one| [Some(one), None]).collect();
    let keys: [fn(&KernelProfile, &KernelProfile) -> bool; 3] = [
        |one, other| is_same_size(one, other) && one.source == other.source,
        is_same_size,
        |_, _| true,
    ];
    for is_same in keys {
        for pair in pairs.iter_mut().filter(|pair| pair[1].is_none()) {
            let Some(one) = pair[0] else { continue };
            let found = rest
                .iter()
                .position(|other| one.name == other.name && is_same(one, other));
            pair[1] = found.map(|place| rest.remove(place));
        }
    }
    pairs.extend(rest.into_iter().map(|new| [None, Some(new)]));
    let longest = |pair: &Pair<'_>| {
        let times = pair.iter().flatten().map(|kernel| kernel.time_ns);
        std::cmp::Reverse(times.max())
    };
    pairs.sort_by_key(longest);
    pairs
}

fn is_same_size(one: &KernelProfile, other: &KernelProfile) -> bool {
    one.local_size == other.local_size
}
