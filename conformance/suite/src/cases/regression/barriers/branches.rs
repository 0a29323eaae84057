//! Barriers before, after and in branches and returns.

use crate::cases::launch::{Program, Word, word};
use std::num::Wrapping;

/// Whole groups return before a barrier that the other groups execute.
pub const EARLY_RETURN: Program = Program::new(
    &[0, 1, 2],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    if (count == 0)
        return;
    if ((input[0] + (uint)group()) % 3 < count - 1)
        return;
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane();
    shared[me] = input[here];
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = shared[group_size() - 1 - me] + me;
}
",
    |group| {
        let number = (group.common(0) + word(group.number)).0 % 3;
        let returned = group.count == 0 || number < group.count - 1;
        group.each(|lane| match returned {
            true => group.before(lane),
            false => group.input(group.size - 1 - lane, 0) + word(lane),
        })
    },
);

/// One work-item of the group reaches the end of the kernel through another branch than the rest.
pub const BEFORE_EXIT: Program = Program::new(
    &[0, 1, 6],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), size = group_size();
    if (count == 0)
        return;
    result[here] = count;
    shared[me] = input[here];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == count % size)
        result[here] = 43 + here;
    else
        result[here] += shared[(me + 1) % size];
}
",
    |group| {
        let special = group.count as usize % group.size;
        group.each(|lane| match group.count {
            0 => group.before(lane),
            _ if lane == special => word(43 + group.place(lane)),
            count => Wrapping(count) + group.input((lane + 1) % group.size, 0),
        })
    },
);

/// Barriers directly before the returns of the kernel.
pub const BEFORE_RETURN: Program = Program::new(
    &[0, 1, 2],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    const size_t here = place(), me = lane();
    if (count == 1) {
        result[here] = input[here] + me;
        barrier(CLK_LOCAL_MEM_FENCE);
        return;
    }
    local uint shared[LARGEST_GROUP];
    shared[me] = input[here + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = shared[(me + count) % group_size()];
    if (count == 2) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        return;
    }
    result[here] += me;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
",
    |group| {
        let count = group.count as usize;
        group.each(|lane| {
            let shared = || group.input((lane + count) % group.size, 1);
            match count {
                1 => group.input(lane, 0) + word(lane),
                2 => shared(),
                _ => shared() + word(lane),
            }
        })
    },
);

/// Variables that are set before, within and after a branch with a barrier.
pub const UNDER_CONDITION: Program = Program::new(
    &[0, 3, 4, 9],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[LARGEST_GROUP];
    const size_t here = place(), me = lane(), next = (me + 1) % group_size();
    uint sum = 0;
    shared[me] = input[here];
    for (size_t i = 0; i < count; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += input[i] * (here + 1) + (shared[next] << i);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint late = here;
    if (count > 3) {
        late = input[here];
        shared[me] = late + 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        late = late * 3 + shared[next];
    } else if (count > 2) {
        late *= 11;
    }
    result[here] = sum ^ late;
}
",
    |group| {
        group.each(|lane| {
            let place = group.place(lane);
            let next = group.input((lane + 1) % group.size, 0);
            let terms =
                (0..group.count as usize).map(|i| group.common(i) * word(place + 1) + (next << i));
            let late = match group.count {
                4.. => group.input(lane, 0) * word(3) + next + word(5),
                3 => word(11 * place),
                _ => word(place),
            };
            terms.sum::<Word>() ^ late
        })
    },
);

/// A divergent branch between two barriers, with a return in it that no work-item executes. The
/// compiler must not move a barrier into the branch.
pub const RETURN_NEVER_EXECUTED: Program = Program::new(
    &[1, 2, 5],
    r"kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint seen;
    const size_t here = place(), me = lane();
    const uint active = count, length = count + (input[0] & 1);
    if (me == 0)
        seen = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < active) {
        if (me >= length)
            return;
        if (input[here] & 1)
            atomic_or(&seen, 1u << me);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    result[here] = seen * 3 + me;
}
",
    |group| {
        let active = group.size.min(group.count as usize);
        let seen = (0..active).map(|lane| (group.input(lane, 0) & word(1)) << lane);
        let seen = seen.sum::<Word>();
        group.each(|lane| seen * word(3) + word(lane))
    },
);
