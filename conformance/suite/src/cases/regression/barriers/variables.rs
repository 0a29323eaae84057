//! Variables that are live across barriers.

use crate::cases::launch::{Program, Word, word};
use std::num::Wrapping;

const ZERO: Word = Wrapping(0);

/// One pointer to a local variable of the kernel and to a local argument.
pub const LOCAL_POINTERS: Program = Program {
    scratch: 16,
    counts: &[4, 5],
    source: r"kernel void test(global const uint *input, global uint *result, uint count,
                 local uint *given)
{
    local uint own[LARGEST_GROUP];
    local uint scalar;
    const size_t here = place(), me = lane(), size = group_size();
    local uint *pointer = own;
    pointer[me] = me * count + 1;
    pointer = given;
    // Private memory may follow local memory, if the argument begins too early.
    const uint before = input[here];
    for (uint k = 0; k < 16; k++)
        pointer[k * size + me] = before + k;
    if (me == size - 1)
        scalar = 100 * count + group();
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t next = (me + 1) % size;
    pointer = me & 1 ? own : given;
    result[here] = own[next] * 3 + given[15 * size + next] + scalar + 7 * pointer[size - 1 - me] +
        11 * before;
}
",
    expected: |group| {
        let own = |lane: usize| word(lane) * Wrapping(group.count) + word(1);
        let given = |lane: usize| group.input(lane, 0);
        let scalar = word(100) * Wrapping(group.count) + word(group.number);
        group.each(|lane| {
            let (next, other) = ((lane + 1) % group.size, group.size - 1 - lane);
            let pointed = if lane % 2 == 1 {
                own(other)
            } else {
                given(other)
            };
            let of_this = word(11) * given(lane);
            own(next) * word(3) + given(next) + word(15) + scalar + word(7) * pointed + of_this
        })
    },
};

/// A variable without a value in some work-items, and barriers between its uses in the rest.
pub const UNSET_VARIABLE: Program = Program::new(
    &[0, 1, 3],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const int here = place();
    const int limit = (int)get_global_size(0) - 5 * (int)count;
    uint sum;
    if (-1 + -1 * here + limit >= 0)
        sum = 0;
    for (int colour = 0; colour <= 2; ++colour) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (-1 + -1 * here + limit >= 0)
            for (int i = -3; i <= 3; ++i)
                sum = sum * 3 + input[here + 3 + i] + colour;
    }
    if (-1 + -1 * here + limit >= 0)
        result[here] = sum;
}
",
    |group| {
        let limit = group.row().saturating_sub(5 * group.count as usize);
        group.each(|lane| {
            if group.place(lane) >= limit {
                return group.before(lane);
            }
            let mut sum = ZERO;
            for colour in 0..3 {
                for i in 0..7 {
                    sum = sum * word(3) + group.input(lane, i) + word(colour);
                }
            }
            sum
        })
    },
);

/// A window of values as an array and as a vector; each work-item passes part of it to its
/// neighbour.
pub const ARRAY_AND_VECTOR: Program = Program::new(
    &[0, 1, 2, 9],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    if (group() < count) {
        union {
            uint array[8];
            uint8 vector;
        } window;
        window.vector = (uint8)((uint)here);
        const uint filled = me % 8 + 1;
        for (uint y = 0; y < count; ++y) {
            if (y == 0) {
                for (uint i = 0; i < filled; ++i)
                    window.array[i] = input[here + i];
            } else {
                shared[me] = window.vector.s0;
                window.vector = (uint8)(window.vector.s1234, window.vector.s567, y);
                barrier(CLK_LOCAL_MEM_FENCE);
                if (me + 1 < size)
                    window.vector.s7 = shared[me + 1];
                else
                    window.array[filled - 1] = input[here + y + 8];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint sum = 0;
        for (uint i = 0; i < 8; ++i)
            sum = sum * 3 + window.array[i];
        result[here] = sum;
    }
}
",
    |group| {
        let count = group.count as usize;
        if group.number >= count {
            return group.each(|lane| group.before(lane));
        }
        let mut windows: Vec<[Word; 8]> = (0..group.size)
            .map(|lane| {
                std::array::from_fn(|i| match i <= lane % 8 {
                    true => group.input(lane, i),
                    false => word(group.place(lane)),
                })
            })
            .collect();
        for y in 1..count {
            let shared: Vec<Word> = windows.iter().map(|window| window[0]).collect();
            for (lane, window) in windows.iter_mut().enumerate() {
                window.rotate_left(1);
                window[7] = word(y);
                match shared.get(lane + 1) {
                    Some(&next) => window[7] = next,
                    None => window[lane % 8] = group.input(lane, y + 8),
                }
            }
        }
        group.each(|lane| {
            windows[lane]
                .iter()
                .fold(ZERO, |sum, word| sum * Wrapping(3) + word)
        })
    },
);

/// Products of ids as indices into small private arrays, some of which stay unset.
pub const PRODUCTS_OF_IDS: Program = Program::new(
    &[0, 1, 5],
    r"uint some(const uint *numbers, uint a, uint b)
{
    uint value;
    if (a * b)
        value = numbers[0];
    return value;
}

void work(global const uint *input, global uint *result, uint count, uint one)
{
    const size_t here = place();
    const uint me = lane();
    uint numbers[8], sums[8], bins[16];
    for (uint i = 0; i < 8; ++i)
        numbers[i] = input[here + i], sums[i] = i;
    for (uint i = 0; i < 16; ++i)
        bins[i] = 0;
    for (uint k = 0; k < count; ++k) {
        const uint product = get_local_id(0) * (get_local_id(1) + 1) * me * me * me;
        bins[product / 8 % 8 + product % 8] += numbers[k % 8] + k;
    }
    const uint factor = some(numbers, me / one, me % (count + one));
    if (me / one * (me % (count + one)))
        for (uint m = 0; m < 8; ++m)
            for (uint n = 0; n < 2; ++n)
                sums[m] = numbers[m] * factor + sums[m];
    uint sum = 0;
    for (uint i = 0; i < 16; ++i)
        sum = sum * 3 + bins[i] + sums[i % 8];
    result[here] = sum;
}

kernel void test(global const uint *input, global uint *result, uint count)
{
    work(input, result, count, 1);
}
",
    |group| {
        let count = group.count;
        group.each(|lane| {
            let numbers: [Word; 8] = std::array::from_fn(|i| group.input(lane, i));
            let mut sums: [Word; 8] = std::array::from_fn(word);
            let mut bins = [ZERO; 16];
            let me = word(lane);
            let [x, y] = group.local_id(lane);
            let product = (word(x) * word(y + 1) * me * me * me).0;
            for k in 0..count {
                bins[(product / 8 % 8 + product % 8) as usize] +=
                    numbers[k as usize % 8] + Wrapping(k);
            }
            if (me * Wrapping(me.0 % (count + 1))).0 != 0 {
                for (sum, number) in sums.iter_mut().zip(numbers) {
                    *sum += word(2) * number * numbers[0];
                }
            }
            (0..16).fold(ZERO, |sum, i| sum * word(3) + bins[i] + sums[i % 8])
        })
    },
);

/// A value loaded before a barrier does not change when other work-items write to its address
/// after the barrier, in local and in global memory.
pub const LOADED_BEFORE_BARRIER: Program = Program::new(
    &[1, 3],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    shared[me] = input[here];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = shared[(me + count) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[me] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = shared[me];
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint after = result[place_of((me + count) % size)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    result[here] = after * 3 + next;
}
",
    |group| {
        let step = group.count as usize;
        group.each(|lane| {
            let after = group.input((lane + 2 * step) % group.size, 0);
            after * word(3) + group.input((lane + step) % group.size, 0)
        })
    },
);
