//! What does not fit into the instruction cache is fetched again in each round.

use super::code::Code;

/// By block: bytes of code that are fetched each time that it runs. `bytes` is the code of each.
///
/// A loop that fits is fetched once when it is entered, if what is around it does not fit; of one
/// that does not fit, part of each block is fetched as it is run. What is around all is the group: the
/// function runs again for the next one.
///
/// Which lines are replaced is taken to be chance, so that of a loop a little larger than the cache
/// most is still there: twice of what does not fit is fetched, at most all.
pub fn fetched(code: &Code<'_>, bytes: &[u32]) -> Vec<u32> {
    let cache = u64::from(code.params.instruction_cache);
    let all: u64 = bytes.iter().map(|bytes| u64::from(*bytes)).sum();
    let mut fetched = vec![0u32; bytes.len()];
    if all <= cache {
        return fetched;
    }
    let loops = &code.loops;
    let of_loop: Vec<u64> = loops
        .loops
        .iter()
        .map(|l| l.nodes.iter().map(|block| u64::from(bytes[*block])).sum())
        .collect();
    // Of the bytes of a part of something of that size.
    let missed = |part: u64, whole: u64| {
        let beyond = 2 * (whole - cache);
        (part * beyond.min(whole)).div_ceil(whole) as u32
    };
    for (block, of) in fetched.iter_mut().enumerate() {
        let around = loops.innermost[block].map_or(all, |l| of_loop[l]);
        if around > cache {
            *of = missed(u64::from(bytes[block]), around);
        }
    }
    for (number, l) in loops.loops.iter().enumerate() {
        let around = l.parent.map_or(all, |around| of_loop[around]);
        if of_loop[number] > cache || around <= cache {
            continue;
        }
        for from in l.entering(&code.cfg.graph) {
            fetched[from] = fetched[from].saturating_add(missed(of_loop[number], around));
        }
    }
    fetched
}
