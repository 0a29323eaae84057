//! Barriers among loops, conditions and returns: what a compiler that runs a work-group as
//! one function has to cut into regions, and which private variables live across the cuts.

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

/// One pointer for local memory of the kernel's and of the host's.
pub const LOCAL_POINTERS: Program = Program {
    scratch: 1,
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
    pointer[me] = input[here];
    if (me == size - 1)
        scalar = 100 * count + group();
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t next = (me + 1) % size;
    pointer = me & 1 ? own : given;
    result[here] = own[next] * 3 + given[next] + scalar + 7 * pointer[size - 1 - me];
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
            own(next) * word(3) + given(next) + scalar + word(7) * pointed
        })
    },
};

/// What all work-items sum up in the first loop each of them reads in the second.
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

/// Words that go round the group, one work-item further in each round of a loop.
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
        // What a work-item has in global memory after some rounds of the inner loop.
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

/// Whole groups return before the others come to a barrier.
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

/// Barriers with nothing between them and the kernel's ends.
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

/// Two nested loops with two barriers under conditions of their own: each body runs once
/// per round, which result and trace both tell.
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
