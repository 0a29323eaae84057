//! Private arrays that compiled code keeps in memory for each work-item: those that are used on both sides of a barrier, and
//! those that are large. They are interleaved with those of neighbouring work-items where their elements have one size.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Elements of the arrays.
const LENGTH: usize = 40;

/// Each kernel fills an array by its work-item's number, and folds the elements in an order that depends on that. `FAR` is
/// what makes an array large.
const KERNELS: &str = "
#define LENGTH 40
#define FAR 600
uint number(void) {
    return get_global_id(1) * get_global_size(0) + get_global_id(0);
}
#define KEPT(NAME, T, OF, BACK)                                                   \\
  kernel void NAME(global uint *results) {                                        \\
    uint id = number(), order = 7;                                                \\
    T kept[LENGTH];                                                               \\
    for (uint k = 0; k < LENGTH; k++)                                             \\
        kept[k] = OF(id * 31 + k * k);                                            \\
    barrier(CLK_LOCAL_MEM_FENCE);                                                 \\
    for (uint k = 0; k < LENGTH; k++)                                             \\
        order = order * 31 + BACK(kept[k ^ (id & 7)]);                            \\
    results[id] = order;                                                          \\
  }                                                                               \\
  kernel void large_##NAME(global uint *results) {                                \\
    uint id = number(), order = 7;                                                \\
    T kept[FAR];                                                                  \\
    for (uint k = 0; k < LENGTH; k++)                                             \\
        kept[k * 14 + 3] = OF(id * 31 + k * k);                                  \\
    for (uint k = 0; k < LENGTH; k++)                                             \\
        order = order * 31 + BACK(kept[(k ^ (id & 7)) * 14 + 3]);                \\
    results[id] = order;                                                          \\
  }
#define SAME(x) (x)
#define LOW(x) ((uint)(x) & 255)
#define OF_FOUR(x) ((uint4)(x, 1, (x) * 3, 2))
#define BACK_OF_FOUR(v) ((v).z * 0xAAAAAAABu + (v).y - 1)
KEPT(words, uint, SAME, SAME)
KEPT(bytes, uchar, LOW, SAME)
KEPT(longs, ulong, SAME, (uint))
KEPT(fours, uint4, OF_FOUR, BACK_OF_FOUR)

// Counters that begin as zeros.
kernel void counters(global uint *results) {
    uint id = number(), order = 7;
    uint counts[LENGTH] = {0};
    for (uint k = 0; k < 3 * LENGTH; k++)
        counts[(id * k + k) % LENGTH]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < LENGTH; k++)
        order = order * 31 + counts[k];
    results[id] = order;
}

// Elements of two sizes in one array.
kernel void halves(global uint *results) {
    uint id = number(), order = 7;
    union { uint words[LENGTH]; ushort halves[2 * LENGTH]; } kept;
    for (uint k = 0; k < LENGTH; k++)
        kept.words[k] = id * 31 + k * 70001;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 2 * LENGTH; k++)
        order = order * 31 + kept.halves[k ^ (id & 1)];
    results[id] = order;
}
";

fn fold(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(7u32, |order, number| {
        order.wrapping_mul(31).wrapping_add(number)
    })
}

/// What a kernel's array has at a place, for a work-item.
fn element(id: u32, place: usize) -> u32 {
    let place = place as u32;
    id.wrapping_mul(31).wrapping_add(place * place)
}

fn in_order(id: u32) -> impl Iterator<Item = u32> {
    (0..LENGTH).map(move |k| element(id, k ^ (id as usize & 7)))
}

fn counted(id: u32) -> u32 {
    let mut counts = [0u32; LENGTH];
    for k in 0..3 * LENGTH as u32 {
        counts[id.wrapping_mul(k).wrapping_add(k) as usize % LENGTH] += 1;
    }
    fold(counts.into_iter())
}

fn halved(id: u32) -> u32 {
    let half = |at: usize| {
        let word = id
            .wrapping_mul(31)
            .wrapping_add((at as u32 / 2).wrapping_mul(70001));
        word >> (16 * (at % 2)) & 0xffff
    };
    fold((0..2 * LENGTH).map(|k| half(k ^ (id as usize & 1))))
}

#[test]
fn work_items_find_their_own_elements() {
    let all = |id| fold(in_order(id));
    let bytes = |id| fold(in_order(id).map(|number| number & 255));
    // 3 x 0xAAAAAAAB is 1, so that the value is what the third component was made of.
    let kernels: [(&str, &dyn Fn(u32) -> u32); 10] = [
        ("words", &all),
        ("large_words", &all),
        ("bytes", &bytes),
        ("large_bytes", &bytes),
        ("longs", &all),
        ("large_longs", &all),
        ("fours", &all),
        ("large_fours", &all),
        ("counters", &counted),
        ("halves", &halved),
    ];
    let session = Session::open();
    let program = session.built(KERNELS);
    for (name, expected) in kernels {
        let kernel = session.kernel_of(program, name);
        for (global, local) in [
            ([128, 1], [64, 1]),
            ([72, 1], [24, 1]),
            ([10, 1], [5, 1]),
            ([32, 8], [16, 4]),
            ([14, 6], [7, 3]),
            ([64, 2], [32, 2]),
        ] {
            let count = global[0] * global[1];
            let results = session.buffer(&vec![0u32; count]);
            ok(session.set(kernel, 0, &results));
            ok(session.launch(
                session.queue,
                kernel,
                &global,
                Some(&local),
                &[],
                null_mut(),
            ));
            let found = session.read::<u32>(results, count);
            let expected: Vec<u32> = (0..count as u32).map(expected).collect();
            assert!(found == expected, "{name} {local:?}");
        }
    }
}
