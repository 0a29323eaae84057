//! Loops: without barriers, with barriers, and with exits and several latches that hide which parts
//! all work-items run together.

use crate::cases::launch::{Program, Word, word};
use std::num::Wrapping;

const ZERO: Word = Wrapping(0);

/// Consecutive loops of different kinds. For some of them a compiler may run each iteration for all
/// work-items before the next iteration; for others it must not.
pub const SIDE_BY_SIDE: Program = Program::new(
    &[0, 1, 6],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint sum = here;
    for (uint i = 0; i < count; ++i)
        sum = sum * 3 + input[here + i];
    for (uint i = 0; i < me % 5 + count; ++i)
        sum = sum * 5 ^ input[here + i];
    for (uint i = 0; i < count; ++i) {
        for (uint j = 0; j <= i; ++j)
            sum += input[here + j] * (i + 1);
        sum = rotate(sum, 1u);
    }
    if (me & 1)
        for (uint i = 0; i < count; ++i)
            sum ^= input[here + i] + i;
    for (uint i = 0; i < count; ++i) {
        for (uint j = 0; j < 3; ++j)
            sum = sum * 7 + j;
        shared[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += shared[next];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < count; ++i) {
        if (input[here + i] % 4 == 0)
            break;
        sum = sum * 11 + i;
    }
    result[here] = sum;
}
",
    |group| {
        let count = group.count as usize;
        let mut sums = group.each(|lane| {
            let mut sum = word(group.place(lane));
            for i in 0..count {
                sum = sum * word(3) + group.input(lane, i);
            }
            for i in 0..lane % 5 + count {
                sum = (sum * word(5)) ^ group.input(lane, i);
            }
            for i in 0..count {
                let terms = (0..=i).map(|j| group.input(lane, j) * word(i + 1));
                sum = Wrapping((sum + terms.sum::<Word>()).0.rotate_left(1));
            }
            match lane & 1 {
                1 => (0..count).fold(sum, |sum, i| sum ^ (group.input(lane, i) + word(i))),
                _ => sum,
            }
        });
        for _ in 0..count {
            let before =
                group.each(|lane| (0..3).fold(sums[lane], |sum, j| sum * word(7) + word(j)));
            sums = group.each(|lane| before[lane] + before[(lane + 1) % group.size]);
        }
        group.each(|lane| {
            (0..count)
                .take_while(|&i| group.input(lane, i).0 % 4 != 0)
                .fold(sums[lane], |sum, i| sum * word(11) + word(i))
        })
    },
);

/// Nested loops, forwards, backwards, with the condition at the end, with `continue`.
pub const WITHOUT_BARRIERS: Program = Program::new(
    &[0, 1, 5],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const size_t here = place(), me = lane();
    result[here] = me;
    for (uint i = 0; i < count; ++i)
        for (uint j = count; j > i; --j) {
            if ((input[here + j] ^ me) & 1)
                continue;
            result[here] = result[here] * 3 + input[here + j] + i;
        }
    uint rest = me % 6;
    do {
        result[here] = result[here] * 5 + rest;
    } while (rest-- > count % 4);
    while (result[here] & 0xF0)
        result[here] = result[here] / 2 + 1;
}
",
    |group| {
        let count = group.count as usize;
        group.each(|lane| {
            let mut here = word(lane);
            for i in 0..count {
                for j in (i + 1..=count).rev() {
                    let input = group.input(lane, j);
                    if (input ^ word(lane)).0 & 1 == 0 {
                        here = here * word(3) + input + word(i);
                    }
                }
            }
            let mut rest = lane % 6;
            loop {
                here = here * word(5) + word(rest);
                if rest <= count % 4 {
                    break;
                }
                rest -= 1;
            }
            while here.0 & 0xF0 != 0 {
                here = here / word(2) + word(1);
            }
            here
        })
    },
);

/// Barriers at the start, within and at the end of nested loops, and in a loop with the condition
/// at the end.
pub const WITH_BARRIERS: Program = Program::new(
    &[0, 1, 4],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size(), next = (me + 1) % size;
    uint mine = input[here];
    for (uint i = 0; i < count; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[me] = mine + i;
        for (uint j = 0; j <= i; ++j) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint other = shared[next];
            mine = mine * 3 + other;
            barrier(CLK_LOCAL_MEM_FENCE);
            shared[me] = other + j;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        mine ^= shared[size - 1 - me];
    }
    uint round = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[me] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = mine * 5 + shared[next];
    } while (++round < count);
    result[here] = mine;
}
",
    |group| {
        let count = group.count as usize;
        let next = |lane: usize| (lane + 1) % group.size;
        let mut mine = group.each(|lane| group.input(lane, 0));
        for i in 0..count {
            let mut shared = group.each(|lane| mine[lane] + word(i));
            for j in 0..=i {
                mine = group.each(|lane| mine[lane] * word(3) + shared[next(lane)]);
                shared = group.each(|lane| shared[next(lane)] + word(j));
            }
            mine = group.each(|lane| mine[lane] ^ shared[group.size - 1 - lane]);
        }
        for _ in 0..count.max(1) {
            mine = group.each(|lane| mine[lane] * word(5) + mine[next(lane)]);
        }
        mine
    },
);

/// All work-items leave a loop before its barrier, at different places; or none does.
pub const BARRIER_NOT_REACHED: Program = Program::new(
    &[0, 1, 2],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    const uint value = input[here];
    uint trace = me;
    for (uint i = 0; i < 4; ++i) {
        trace = trace * 3 + i;
        if (value % 2 < count)
            break;
        trace = trace * 5 + value;
        if (value % 3 < 3 * count)
            break;
        shared[me] = trace;
        barrier(CLK_LOCAL_MEM_FENCE);
        trace = trace * 7 + shared[next];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    result[here] = trace + 1;
}
",
    |group| {
        let mut trace = group.each(word);
        for i in 0..4 {
            let before = group.each(|lane| {
                let (value, trace) = (group.input(lane, 0), trace[lane] * word(3) + word(i));
                match value.0 % 2 < group.count {
                    true => trace,
                    false => trace * word(5) + value,
                }
            });
            if group.count > 0 {
                trace = before;
                break;
            }
            trace = group.each(|lane| before[lane] * word(7) + before[(lane + 1) % group.size]);
        }
        group.each(|lane| trace[lane] + word(1))
    },
);

/// Some work-items return from loops, each in another iteration.
pub const DIVERGENT_RETURN: Program = Program::new(
    &[0, 1, 3, 9],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    shared[me] = input[here];
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = me;
    for (uint i = 0; i < count; ++i) {
        if ((me + i) % 11 == 7)
            return;
        for (uint j = 0; j < 3; ++j) {
            result[here] = result[here] * 3 + shared[(me + j) % size];
            if (result[here] % 13 == i)
                return;
        }
        result[here] += i;
    }
    result[here] ^= 0x5555;
}
",
    |group| {
        group.each(|lane| {
            let mut here = word(lane);
            for i in 0..group.count as usize {
                if (lane + i) % 11 == 7 {
                    return here;
                }
                for j in 0..3 {
                    here = here * word(3) + group.input((lane + j) % group.size, 0);
                    if here % word(13) == word(i) {
                        return here;
                    }
                }
                here += word(i);
            }
            here ^ word(0x5555)
        })
    },
);

/// Uniform outer loops around divergent inner ones, with accesses to private arrays and global
/// memory.
pub const OUTER_LOOPS: Program = Program::new(
    &[0, 1, 7],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const size_t here = place(), me = lane();
    uint rows[8];
    result[here] = 0;
    for (uint i = 0; i < count; ++i) {
        uint sum = i * me;
        for (uint j = 0; j < count; ++j)
            sum += input[here + j] * (i + j + 1);
        rows[i] = sum;
        result[here] += sum;
    }
    for (uint i = 0; i < count; ++i) {
        for (uint j = 0; j < (me + i) % 5; ++j)
            rows[i] = rows[i] * 3 + input[here + i + j];
        result[here] = result[here] * 5 + rows[i];
    }
}
",
    |group| {
        let count = group.count as usize;
        group.each(|lane| {
            let rows: Vec<Word> = (0..count)
                .map(|i| {
                    let terms = (0..count).map(|j| group.input(lane, j) * word(i + j + 1));
                    word(i * lane) + terms.sum::<Word>()
                })
                .collect();
            let mut here = rows.iter().sum::<Word>();
            for (i, row) in rows.into_iter().enumerate() {
                let row = (0..(lane + i) % 5)
                    .fold(row, |row, j| row * word(3) + group.input(lane, i + j));
                here = here * word(5) + row;
            }
            here
        })
    },
);

/// A loop with a barrier at its start and two paths to its end, one of them with a store.
pub const TWO_PATHS: Program = Program::new(
    &[0, 1, 16],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    volatile uint stored[16];
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    for (uint i = 0; i < 16; ++i)
        stored[i] = i;
    uint k = input[here];
    shared[me] = k;
    for (int i = (int)count; i >= 0; --i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        k = k * 3 + me + shared[next];
        if (i < (int)(me % 2 + 14))
            stored[i] = k * 160;
    }
    for (uint i = 0; i < 16; ++i)
        k = k * 5 + stored[i];
    result[here] = k;
}
",
    |group| {
        group.each(|lane| {
            let mut stored: [Word; 16] = std::array::from_fn(word);
            let mut k = group.input(lane, 0);
            let next = group.input((lane + 1) % group.size, 0);
            for i in (0..=group.count as usize).rev() {
                k = k * word(3) + word(lane) + next;
                if i < lane % 2 + 14 {
                    stored[i] = k * word(160);
                }
            }
            stored.iter().fold(k, |k, stored| k * word(5) + stored)
        })
    },
);

/// A loop with a barrier, after which some work-items start the next iteration directly.
pub const TWO_LATCHES: Program = Program::new(
    &[0, 1, 5],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[2][LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    volatile uint rounds = count;
    uint trace = input[here];
    for (uint i = 0; i < rounds; ++i) {
        shared[i % 2][me] = trace;
        barrier(CLK_LOCAL_MEM_FENCE);
        trace = trace * 3 + shared[i % 2][next];
        if (me % 3 == 0)
            continue;
        trace = trace * 5 + i;
        if ((me + i) % 3 == 1)
            continue;
        trace ^= input[here + i];
    }
    result[here] = trace;
}
",
    |group| {
        let mut trace = group.each(|lane| group.input(lane, 0));
        for i in 0..group.count as usize {
            trace = group.each(|lane| {
                let mut mine = trace[lane] * word(3) + trace[(lane + 1) % group.size];
                if lane % 3 != 0 {
                    mine = mine * word(5) + word(i);
                    if (lane + i) % 3 != 1 {
                        mine ^= group.input(lane, i);
                    }
                }
                mine
            });
        }
        trace
    },
);

/// Barriers in a loop under conditions on iteration, argument and group.
pub const CONDITIONS_IN_LOOP: Program = Program::new(
    &[0, 1, 3, 6],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint mine = input[here];
    shared[me] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < count; ++i) {
        uint other = shared[next];
        if ((i + group()) % 2 == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            shared[me] = mine;
            if (count > 3)
                barrier(CLK_LOCAL_MEM_FENCE);
            other += me;
        }
        mine = mine * 3 + other + i;
        if ((i + group()) % 2 == 0)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    result[here] = mine;
}
",
    |group| {
        let mut mine = group.each(|lane| group.input(lane, 0));
        let mut shared = mine.clone();
        for i in 0..group.count as usize {
            let here = (i + group.number) % 2 == 0;
            let others = group.each(|lane| {
                let other = shared[(lane + 1) % group.size];
                other + if here { word(lane) } else { ZERO }
            });
            if here {
                shared = mine.clone();
            }
            mine = group.each(|lane| mine[lane] * word(3) + others[lane] + word(i));
        }
        mine
    },
);

/// The work-items have different numbers of iterations. A barrier is executed only in iterations
/// that all of them reach.
pub const ROUNDS_OF_ALL: Program = Program::new(
    &[0, 1, 2],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint mine = input[here], given = 0;
    for (uint i = 0; i < 2 + me % 7; ++i) {
        mine = mine * 3 + i;
        if (i < count) {
            shared[me] = mine;
            barrier(CLK_LOCAL_MEM_FENCE);
            given = given * 5 + shared[next];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    result[here] = mine ^ given;
}
",
    |group| {
        // A work-item's variable after some iterations.
        let rounds = |lane, rounds| {
            (0..rounds).fold(group.input(lane, 0), |mine, i| mine * word(3) + word(i))
        };
        group.each(|lane| {
            let next = (lane + 1) % group.size;
            let given =
                (1..=group.count as usize).fold(ZERO, |given, i| given * word(5) + rounds(next, i));
            rounds(lane, 2 + lane % 7) ^ given
        })
    },
);
