//! Barriers in and between loops.

use crate::cases::launch::{Program, Word, word};
use std::num::Wrapping;

const ZERO: Word = Wrapping(0);

/// Variables that are carried from one iteration of a loop to the next, across a barrier.
pub const LOOP_VARIABLES: Program = Program::new(
    &[0, 1, 16],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[2][LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint sum = 0, last = here, before = 7 * here;
    for (uint i = 0; i < count; ++i) {
        const uint value = input[here + i];
        sum = sum * 3 + value + before;
        shared[i % 2][me] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        before = last ^ shared[i % 2][next];
        last = value;
    }
    result[here] = sum ^ (last + 5 * before);
}
",
    |group| {
        group.each(|lane| {
            let (place, next) = (word(group.place(lane)), (lane + 1) % group.size);
            let (mut sum, mut last, mut before) = (ZERO, place, word(7) * place);
            for i in 0..group.count as usize {
                let value = group.input(lane, i);
                sum = sum * word(3) + value + before;
                (before, last) = (last ^ group.input(next, i), value);
            }
            sum ^ (last + word(5) * before)
        })
    },
);

/// Each work-item reads in the second loop the sums that all work-items computed in the first.
pub const BETWEEN_LOOPS: Program = Program::new(
    &[0, 1, 9],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint sums[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    uint own = me;
    for (uint i = 0; i < count; ++i)
        own = own * 5 + input[here + i];
    sums[me] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = 0;
    for (size_t i = 0; i < size; ++i)
        all = all * 3 + sums[i];
    result[here] = all ^ (own << 1);
}
",
    |group| {
        let sums = group.each(|lane| {
            (0..group.count as usize)
                .fold(word(lane), |own, i| own * word(5) + group.input(lane, i))
        });
        let all = sums.iter().fold(ZERO, |all, sum| all * word(3) + sum);
        group.each(|lane| all ^ (sums[lane] << 1))
    },
);

/// Words that rotate among the work-items of the group, by one in each iteration of a loop.
pub const IN_LOOP: Program = Program::new(
    &[0, 1, 10],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint ring[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    uint mine = input[here];
    for (uint i = 0; i < count; ++i) {
        ring[me] = mine + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = ring[(me + 1) % size] ^ (mine << 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    result[here] = mine;
}
",
    |group| {
        let mut ring = group.each(|lane| group.input(lane, 0));
        for i in 0..group.count as usize {
            ring = group.each(|lane| (ring[(lane + 1) % group.size] + word(i)) ^ (ring[lane] << 1));
        }
        ring
    },
);

/// Two loops, the inner one with a barrier, and computations after it.
pub const AFTER_INNER_LOOP: Program = Program::new(
    &[0, 1, 8],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const size_t here = place(), next = place_of((lane() + 1) % group_size());
    uint total = here, seen = 0;
    for (uint i = 0; i < count; ++i) {
        result[here] = input[here] + i;
        for (uint j = 0; j < i; ++j) {
            result[here] += input[here + j] * (i - j);
            barrier(CLK_GLOBAL_MEM_FENCE);
            seen = seen * 5 + result[next];
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
        total = total * 3 + result[here];
    }
    result[here] = total ^ seen;
}
",
    |group| {
        // The value of a work-item in global memory after some iterations of the inner loop.
        let rounds = |lane, i: usize, rounds: usize| {
            let terms = (0..rounds).map(|j| group.input(lane, j) * word(i - j));
            group.input(lane, 0) + word(i) + terms.sum::<Word>()
        };
        group.each(|lane| {
            let next = (lane + 1) % group.size;
            let (mut total, mut seen) = (word(group.place(lane)), ZERO);
            for i in 0..group.count as usize {
                for j in 0..i {
                    seen = seen * word(5) + rounds(next, i, j + 1);
                }
                total = total * word(3) + rounds(lane, i, i);
            }
            total ^ seen
        })
    },
);

/// The number of iterations depends on the kernel's argument and the group.
pub const VARIABLE_COUNT: Program = Program::new(
    &[0, 1, 7],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    const uint rounds = count + group() % 3;
    uint sum = 0;
    for (uint i = 0; i < rounds; ++i) {
        shared[me] = input[here + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 3 + shared[size - 1 - me];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    result[here] = sum;
}
",
    |group| {
        let rounds = group.count as usize + group.number % 3;
        group.each(|lane| {
            let other = group.size - 1 - lane;
            (0..rounds).fold(ZERO, |sum, i| sum * word(3) + group.input(other, i))
        })
    },
);

/// Three loops: one has a number of iterations that depends on the work-item, and one a barrier.
pub const LOOPS_OF_ALL_LENGTHS: Program = Program::new(
    &[0, 1, 5],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    const uint mine = here % 7 + count, ours = group() % 3 + 1;
    volatile uint something = me;
    for (uint k = 0; k < count; ++k) {
        for (uint j = k + 1; j < mine; ++j)
            something += input[here + j];
        something *= 2;
        for (uint l = 0; l < ours; ++l) {
            shared[me] = something;
            barrier(CLK_LOCAL_MEM_FENCE);
            something += shared[(me + k + 1) % size];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    result[here] = something;
}
",
    |group| {
        let count = group.count as usize;
        let mut words = group.each(word);
        for k in 0..count {
            words = group.each(|lane| {
                let mine = group.place(lane) % 7 + count;
                let read = (k + 1..mine).map(|j| group.input(lane, j));
                (words[lane] + read.sum::<Word>()) * word(2)
            });
            for _ in 0..group.number % 3 + 1 {
                words = group.each(|lane| words[lane] + words[(lane + k + 1) % group.size]);
            }
        }
        words
    },
);

/// Two nested loops with two conditional barriers. The result and its trace show that each body runs
/// once per iteration.
pub const TWO_CONDITIONAL_BARRIERS: Program = Program::new(
    &[0, 1, 2, 4, 6, 9],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const size_t here = place();
    const uint first = count % 3, second = count / 3;
    const uint outer_end = 2, inner_end = 2 + group() % 2;
    uint trace = input[here];
    result[here] = 0;
    for (uint outer = 0; outer < outer_end; ++outer) {
        for (uint inner = 0; inner < inner_end; ++inner) {
            trace = trace * 31 + outer * 8 + inner;
            result[here] += 1;
            if (second > first)
                barrier(CLK_LOCAL_MEM_FENCE);
            if (first > 0)
                barrier(CLK_LOCAL_MEM_FENCE);
            trace = trace * 37 + outer * 8 + inner;
            result[here] += 0x10000;
        }
    }
    result[here] += trace;
}
",
    |group| {
        group.each(|lane| {
            let (mut trace, mut bodies) = (group.input(lane, 0), ZERO);
            for outer in 0..2 {
                for inner in 0..2 + group.number % 2 {
                    let at = word(outer * 8 + inner);
                    trace = (trace * word(31) + at) * word(37) + at;
                    bodies += word(0x10001);
                }
            }
            bodies + trace
        })
    },
);
