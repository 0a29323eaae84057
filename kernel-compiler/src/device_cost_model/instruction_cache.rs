//! Misses of the instruction cache: loops that do not fit are fetched again in each iteration.

use super::code::Code;

/// By block: bytes of code fetched per execution. `bytes` are the blocks' sizes.
///
/// A loop that fits into the cache is fetched once per entry if the loop around it does not fit. Of a
/// loop that does not fit, a part of each block is fetched per execution. The outermost loop is that
/// over the groups, which run the function one after another.
///
/// Random replacement is assumed, so that a loop slightly larger than the cache mostly hits: twice
/// the excess is fetched, at most everything.
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
    // Bytes missed of `part` in a loop of `whole` bytes.
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
