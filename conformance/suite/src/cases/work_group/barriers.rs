//! Barriers alone, in uniform branches, and in functions.

use crate::cases::launch::{Program, Word, word};
use std::num::Wrapping;

const ZERO: Word = Wrapping(0);

/// All work-items read after a barrier what the others wrote before it, three times, in local and
/// in global memory.
pub const UNCONDITIONAL: Program = Program::new(
    &[0, 5],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    shared[me] = input[here] + me;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint seen = 0;
    for (size_t i = 0; i < size; ++i)
        seen = seen * 3 + shared[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[size - 1 - me] = seen + me;
    result[here] = seen ^ ((uint)me + count);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    seen = shared[me] * 5 + result[place_of((me + 1) % size)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    result[here] = seen;
}
",
    |group| {
        let seen = (0..group.size).fold(ZERO, |seen, lane| {
            seen * word(3) + group.input(lane, 0) + word(lane)
        });
        group.each(|lane| {
            let next = word((lane + 1) % group.size) + Wrapping(group.count);
            (seen + word(group.size - 1 - lane)) * word(5) + (seen ^ next)
        })
    },
);

/// Nested conditions that hold for all work-items or for none, with barriers in both branches.
pub const CONDITIONAL: Program = Program::new(
    &[0, 1, 2, 3],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    const uint mine = input[here];
    uint trace = here;
    if (count > 0) {
        shared[me] = mine * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        trace = trace * 5 + shared[next];
        if (count > 1 && group() % 2 == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            shared[me] = trace;
            barrier(CLK_LOCAL_MEM_FENCE);
            trace = trace * 7 + shared[next];
        } else {
            trace ^= mine;
        }
    } else {
        shared[me] = mine + 11;
        barrier(CLK_LOCAL_MEM_FENCE);
        trace += shared[next];
    }
    if (count == 3)
        barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = trace * 13 + mine;
}
",
    |group| {
        let next = |lane: usize| (lane + 1) % group.size;
        let first = group.each(|lane| {
            let (place, other) = (word(group.place(lane)), group.input(next(lane), 0));
            match group.count {
                0 => place + other + word(11),
                _ => place * word(5) + other * word(3),
            }
        });
        group.each(|lane| {
            let mine = group.input(lane, 0);
            let trace = match group.count {
                0 => first[lane],
                2.. if group.number % 2 == 0 => first[lane] * word(7) + first[next(lane)],
                _ => first[lane] ^ mine,
            };
            trace * word(13) + mine
        })
    },
);

/// A barrier and a return in a branch on the local id that all work-items take or none.
pub const CONDITION_ON_ID: Program = Program::new(
    &[0, 128, 1000],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    if (me < count) {
        shared[me] = input[here];
        barrier(CLK_LOCAL_MEM_FENCE);
        result[here] = shared[size - 1 - me] * 3 + me;
        return;
    }
    result[here] = input[here] + 17;
}
",
    |group| {
        group.each(|lane| match group.count {
            0 => group.input(lane, 0) + word(17),
            _ => group.input(group.size - 1 - lane, 0) * word(3) + word(lane),
        })
    },
);

/// A condition that is computed from global ids and uniform in each group.
pub const CONDITION_ON_GROUP: Program = Program::new(
    &[0, 1, 3],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    const size_t column = (get_global_id(0) - get_global_offset(0)) / get_local_size(0);
    const size_t row = (get_global_id(1) - get_global_offset(1)) / get_local_size(1);
    uint trace = input[here];
    if ((column + row) % 2 == (count & 1)) {
        shared[me] = trace;
        barrier(CLK_LOCAL_MEM_FENCE);
        trace = trace * 3 + shared[next];
        if (column < count) {
            barrier(CLK_LOCAL_MEM_FENCE);
            shared[me] = trace;
            barrier(CLK_LOCAL_MEM_FENCE);
            trace ^= shared[next] << 1;
        }
    }
    result[here] = trace + count;
}
",
    |group| {
        let count = group.count as usize;
        let [column, row, _] = group.id;
        let mut trace = group.each(|lane| group.input(lane, 0));
        let next = |lane: usize| (lane + 1) % group.size;
        if (column + row) % 2 == count & 1 {
            trace = group.each(|lane| trace[lane] * word(3) + trace[next(lane)]);
            if column < count {
                trace = group.each(|lane| trace[lane] ^ (trace[next(lane)] << 1));
            }
        }
        group.each(|lane| trace[lane] + word(count))
    },
);

/// Functions with a barrier in them, called from both branches of a condition and from each other.
/// Identical calls must neither be merged nor moved into code that only some work-items run.
pub const IN_FUNCTIONS: Program = Program {
    scratch: 1,
    counts: &[0, 1, 2, 3],
    source: r"uint exchange(local uint *shared, uint mine, size_t from)
{
    shared[lane()] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = shared[from];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}

__attribute__((noinline)) uint twice(local uint *shared, uint mine, size_t from)
{
    const uint other = exchange(shared, mine, from);
    return exchange(shared, other + lane(), from);
}

kernel void test(global const uint *input, global uint *result, uint count,
                 local uint *shared)
{
    const size_t here = place(), me = lane(), size = group_size();
    const size_t next = (me + 1) % size, opposite = size - 1 - me;
    uint mine = input[here];
    if (me % 2)
        mine += 5;
    if (count & 1)
        mine = exchange(shared, mine * 3, next);
    else
        mine = exchange(shared, mine * 7, opposite);
    if (me % 3)
        mine ^= 21;
    mine = exchange(shared, mine, mine % 2 ? next : opposite);
    if (count > 1)
        mine = twice(shared, mine, opposite);
    result[here] = mine * 3 + me;
}
",
    expected: |group| {
        let next = |lane: usize| (lane + 1) % group.size;
        let opposite = |lane: usize| group.size - 1 - lane;
        let mut mine = group.each(|lane| {
            let odd = if lane % 2 == 1 { word(5) } else { ZERO };
            group.input(lane, 0) + odd
        });
        mine = match group.count & 1 {
            1 => group.each(|lane| mine[next(lane)] * word(3)),
            _ => group.each(|lane| mine[opposite(lane)] * word(7)),
        };
        mine = group.each(|lane| match lane % 3 {
            0 => mine[lane],
            _ => mine[lane] ^ word(21),
        });
        mine = group.each(|lane| match mine[lane].0 % 2 {
            1 => mine[next(lane)],
            _ => mine[opposite(lane)],
        });
        if group.count > 1 {
            let once = group.each(|lane| mine[opposite(lane)] + word(lane));
            mine = group.each(|lane| once[opposite(lane)]);
        }
        group.each(|lane| mine[lane] * word(3) + word(lane))
    },
};

/// A switch with a barrier in some cases, which all work-items reach together, and a case in which
/// some return.
pub const SWITCH: Program = Program::new(
    &[0, 1, 2, 3, 4],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint mine = input[here];
    shared[me] = mine;
    switch (count) {
    case 1:
        mine *= 3;
    case 2:
        barrier(CLK_LOCAL_MEM_FENCE);
        mine += shared[next];
        break;
    case 3:
        mine ^= 77;
        break;
    default:
        barrier(CLK_LOCAL_MEM_FENCE);
        mine -= shared[next];
    }
    switch ((me + count) % 5) {
    case 0:
        mine += 100;
    case 1:
        result[here] = mine * 5;
        break;
    case 2:
        result[here] = mine;
        return;
    case 3:
        mine = ~mine;
    default:
        result[here] = mine - 9;
    }
    result[here] += 1000 * me;
}
",
    |group| {
        group.each(|lane| {
            let (mine, next) = (
                group.input(lane, 0),
                group.input((lane + 1) % group.size, 0),
            );
            let mine = match group.count {
                1 => mine * word(3) + next,
                2 => mine + next,
                3 => mine ^ word(77),
                _ => mine - next,
            };
            let end = word(1000 * lane);
            match (lane + group.count as usize) % 5 {
                0 => (mine + word(100)) * word(5) + end,
                1 => mine * word(5) + end,
                2 => mine,
                3 => !mine - word(9) + end,
                _ => mine - word(9) + end,
            }
        })
    },
);
